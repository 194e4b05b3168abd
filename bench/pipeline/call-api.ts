export interface ApiCall {
  /** After the base, with its query. */
  path: string;
  headers?: Record<string, string> | undefined;
  /** Makes it a POST under a new idempotency key. */
  body?: object | undefined;
}

/** A response that is no success. */
export class CallRefused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * One request of a client: the parsed response. Throws `CallRefused` when it is no success. `send` may count or time
 * the request.
 */
export async function callApi<Body>(
  { base, header }: { base: string; header: Record<string, string> },
  { path, headers = {}, body }: ApiCall,
  send: (request: () => Promise<Response>) => Promise<Response> = (request) => request(),
): Promise<Body> {
  const change = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() };
  const init =
    body === undefined
      ? { headers: { ...header, ...headers } }
      : { method: 'POST', headers: { ...header, ...change, ...headers }, body: JSON.stringify(body) };
  const response = await send(() => fetch(`${base}${path}`, init));
  if (!response.ok)
    throw new CallRefused(response.status, `${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Body;
}
