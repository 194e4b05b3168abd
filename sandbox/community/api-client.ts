/** An error response of the api, by its problem details. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(`the api returned ${status} ${code}`);
    this.status = status;
    this.code = code;
  }
}

const TIMEOUT_MS = 15_000;

/** JSON over HTTP to the api, with the key of the sandbox's user unless another one is given. */
export class ApiClient {
  readonly #baseUrl: string;
  readonly #apiKey: string;

  constructor(baseUrl: string, apiKey: string) {
    this.#baseUrl = baseUrl;
    this.#apiKey = apiKey;
  }

  /** Throws ApiError, or what fetch throws. */
  get<Body>(path: string): Promise<Body> {
    return this.#call(path, this.#apiKey, {});
  }

  /** Like `get`, but returns null when the api returns one of these error codes. */
  async find<Body>(path: string, ...absent: readonly string[]): Promise<Body | null> {
    try {
      return await this.get<Body>(path);
    } catch (error) {
      if (error instanceof ApiError && absent.includes(error.code)) return null;
      throw error;
    }
  }

  /** Repeated calls with the same key take effect once. */
  post<Body>(path: string, body: object, idempotencyKey: string, apiKey = this.#apiKey): Promise<Body> {
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey };
    return this.#call(path, apiKey, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  async #call<Body>(path: string, apiKey: string, init: RequestInit): Promise<Body> {
    const headers = { ...init.headers, Authorization: `Bearer ${apiKey}` };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(`${this.#baseUrl}${path}`, { ...init, headers, signal });
    if (response.ok) return (await response.json()) as Body;
    const { code } = (await response.json().catch(() => ({}))) as { code?: string };
    throw new ApiError(response.status, code ?? 'without an error code');
  }
}
