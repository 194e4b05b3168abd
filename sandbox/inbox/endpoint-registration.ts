import { wait } from '../../src/shared/loop.ts';
import { readPrivateJson, writePrivateJson } from '../shared/private-file.ts';

/** The webhook endpoint of the inbox; `inbox.json`. */
interface Registration {
  readonly url: string;
  readonly baseUrl: string;
  /** Stored before the request. A repetition after a crash gets the first response again, with the secret. */
  readonly idempotencyKey: string;
  readonly apiKey: string;
  readonly endpointId?: string;
  readonly secret?: string;
}

export interface RegistrationOptions {
  readonly file: string;
  /** The address at which the inbox receives deliveries. */
  readonly url: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly signal: AbortSignal;
}

/** The api refused the endpoint. The message begins with the code of its problem details. */
export class RegistrationError extends Error {
  override readonly name = 'RegistrationError';
}

const PAUSE_MS = 500;
/** A request without a response after this time is repeated. */
const TIMEOUT_MS = 15_000;

/** The endpoint of the last run while it is still enabled, else a new one. Retries while the api is unavailable. */
export async function registerEndpoint(
  options: RegistrationOptions,
): Promise<{ endpointId: string; secret: string }> {
  for (;;) {
    options.signal.throwIfAborted();
    try {
      return (await reuse(options)) ?? (await create(options));
    } catch (error) {
      if (error instanceof RegistrationError) throw error;
      console.error(`registration failed: ${String(error)}; retrying`);
    }
    await wait(PAUSE_MS, options.signal);
  }
}

async function reuse({ file, url, apiKey, baseUrl }: RegistrationOptions) {
  const saved = readPrivateJson<Registration>(file);
  const { endpointId, secret } = saved ?? {};
  if (saved?.url !== url || endpointId === undefined || secret === undefined) return null;
  const response = await fetch(`${baseUrl}/webhook-endpoints/${endpointId}`, {
    headers: { Authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status >= 500 || response.status === 429) throw new Error(`HTTP ${response.status}`);
  if (!response.ok) return null;
  const { status } = (await response.json()) as { status: string };
  return status === 'enabled' ? { endpointId, secret } : null;
}

async function create(options: RegistrationOptions): Promise<{ endpointId: string; secret: string }> {
  const { file, url, apiKey, baseUrl } = options;
  const request = unfinished(options) ?? { url, baseUrl, apiKey, idempotencyKey: crypto.randomUUID() };
  writePrivateJson(file, request);
  const response = await fetch(`${baseUrl}/webhook-endpoints`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': request.idempotencyKey,
    },
    body: JSON.stringify({ url, description: 'Sandbox inbox', eventTypes: ['*'] }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status >= 500 || response.status === 429) throw new Error(`HTTP ${response.status}`);
  if (!response.ok) {
    const { code, detail } = (await response.json()) as { code: string; detail: string };
    // The api still works on an earlier attempt.
    if (code === 'idempotency_request_in_progress') throw new Error(code);
    throw new RegistrationError(`${code}: ${detail}`);
  }
  const { id: endpointId, secret } = (await response.json()) as { id: string; secret: string };
  writePrivateJson(file, { ...request, endpointId, secret });
  return { endpointId, secret };
}

/** Finds an identical request of an earlier run whose response was not stored. */
function unfinished({ file, url, apiKey, baseUrl }: RegistrationOptions): Registration | undefined {
  const saved = readPrivateJson<Registration>(file);
  const isSame = saved?.url === url && saved.apiKey === apiKey && saved.baseUrl === baseUrl;
  return isSame && saved.endpointId === undefined ? saved : undefined;
}
