/** A refusal of the api, as its problem details tell it. */
export class ApiRefused extends Error {
  override readonly name = 'ApiRefused';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(`the api answered ${status} ${code}`);
    this.status = status;
    this.code = code;
  }
}

const TIMEOUT_MS = 15_000;

/** The product as its clients see it: JSON over HTTP, with the key of the sandbox's user unless told otherwise. */
export class Product {
  readonly #baseUrl: string;
  readonly #apiKey: string;

  constructor(baseUrl: string, apiKey: string) {
    this.#baseUrl = baseUrl;
    this.#apiKey = apiKey;
  }

  /** Throws ApiRefused, or what fetch throws. */
  get<Body>(path: string): Promise<Body> {
    return this.#call(path, this.#apiKey, {});
  }

  /** The same, with null where the api answers one of these codes. */
  async find<Body>(path: string, ...absent: readonly string[]): Promise<Body | null> {
    try {
      return await this.get<Body>(path);
    } catch (error) {
      if (error instanceof ApiRefused && absent.includes(error.code)) return null;
      throw error;
    }
  }

  /** Repeated under the same key, nothing happens twice. */
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
    throw new ApiRefused(response.status, code ?? 'without a code');
  }
}
