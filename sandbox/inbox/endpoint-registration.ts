import { wait } from '../../src/shared/loop.ts';
import { readPrivateJson, writePrivateJson } from '../private-file.ts';

/** The endpoint of the inbox at the api; `inbox.json`. */
interface Registration {
  readonly url: string;
  readonly baseUrl: string;
  /** Stored before the request: repeated after a crash, it gets the first answer again, secret included. */
  readonly idempotencyKey: string;
  readonly apiKey: string;
  readonly endpointId?: string;
  readonly secret?: string;
}

export interface RegistrationOptions {
  readonly file: string;
  /** Where the inbox receives. */
  readonly url: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly signal: AbortSignal;
}

/** The api answered and refused; `code` is that of its problem details. */
export class RegistrationRefused extends Error {
  override readonly name = 'RegistrationRefused';
}

const PAUSE_MS = 500;

/** The endpoint to verify with: the one of the last run while the api still has it enabled, else a new one. Waits
 * for an api that is away. */
export async function registerEndpoint(
  options: RegistrationOptions,
): Promise<{ endpointId: string; secret: string }> {
  for (;;) {
    options.signal.throwIfAborted();
    try {
      return (await reuse(options)) ?? (await create(options));
    } catch (error) {
      if (error instanceof RegistrationRefused) throw error;
      console.error(`registration: ${String(error)}; trying again`);
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
  });
  if (response.status >= 500 || response.status === 429) throw new Error(`HTTP ${response.status}`);
  if (!response.ok) {
    const { code, detail } = (await response.json()) as { code: string; detail: string };
    throw new RegistrationRefused(`${code}: ${detail}`);
  }
  const { id: endpointId, secret } = (await response.json()) as { id: string; secret: string };
  writePrivateJson(file, { ...request, endpointId, secret });
  return { endpointId, secret };
}

/** A request of an earlier run, the same in everything, whose answer was never stored. */
function unfinished({ file, url, apiKey, baseUrl }: RegistrationOptions): Registration | undefined {
  const saved = readPrivateJson<Registration>(file);
  const isSame = saved?.url === url && saved.apiKey === apiKey && saved.baseUrl === baseUrl;
  return isSame && saved.endpointId === undefined ? saved : undefined;
}
