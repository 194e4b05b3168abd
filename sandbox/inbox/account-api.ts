/** The api refused a request: its status and problem details, which are for the page. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal';
  readonly status: number;
  readonly problem: unknown;

  constructor(status: number, problem: unknown) {
    super(`the api returned ${status}`);
    this.status = status;
    this.problem = problem;
  }
}

export interface AccountApiOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
}

interface Question {
  readonly method?: 'POST' | 'DELETE';
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Longer than the longest wait that the inbox asks for. */
const TIMEOUT_MS = 40_000;

/** Requests to the api with the key of the sandbox's user. They throw ApiRefusal, or what fetch throws. */
export class AccountApi {
  readonly #options: AccountApiOptions;

  constructor(options: AccountApiOptions) {
    this.#options = options;
  }

  /** The body of the response, which the caller knows by the operation; null for an empty one. */
  async ask<Body>(path: string, { method, body, headers }: Question = {}): Promise<Body> {
    const { baseUrl, apiKey } = this.#options;
    const response = await fetch(`${baseUrl}${path}`, {
      method: method ?? 'GET',
      headers: {
        ...headers,
        Authorization: `Bearer ${apiKey}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // A page that is closed interrupts nothing: a prepared transaction is submitted all the same.
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'manual',
    });
    const answer: unknown = await response.json().catch(() => null);
    if (!response.ok) throw new ApiRefusal(response.status, answer);
    return answer as Body;
  }
}
