import type { RequestEntry } from '../evidence/histories.ts';

const PREFIX = '/api/v2';

/** A `fetch` that writes down every request and its response. Streams are recorded when they open. */
export function recordingFetch(client: string, entries: RequestEntry[], sinceStart: () => number) {
  return async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const method = init?.method ?? 'GET';
    const atMs = sinceStart();
    const request = {
      client,
      method,
      path: pathname.startsWith(PREFIX) ? pathname.slice(PREFIX.length) : pathname,
      atMs,
      idempotencyKey: new Headers(init?.headers).get('idempotency-key'),
    };
    const done = (rest: Pick<RequestEntry, 'status' | 'code' | 'outcome' | 'intentId'>) =>
      entries.push({ ...request, lastedMs: sinceStart() - atMs, ...rest });
    try {
      const response = await fetch(input, init);
      const isJson = response.headers.get('content-type')?.includes('json') === true;
      const body = isJson ? ((await response.clone().json()) as Body) : undefined;
      done({ status: response.status, ...factsOf(method, pathname, response.status, body) });
      return response;
    } catch (error) {
      done({ status: null, code: null, outcome: null, intentId: null });
      throw error;
    }
  };
}

type Body = Readonly<Record<string, unknown>> | undefined;

function factsOf(method: string, path: string, status: number, body: Body) {
  const text = (name: string) => (typeof body?.[name] === 'string' ? (body[name] as string) : null);
  const isMade = method !== 'GET' && status < 300;
  const id = text('intentId') ?? text('operationId') ?? text('id');
  return {
    code: status >= 400 ? text('code') : null,
    outcome: isMade ? `${status} ${id ?? ''}` : null,
    intentId: isMade && path.endsWith('/submissions') ? text('id') : null,
  };
}
