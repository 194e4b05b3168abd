/** Texts with keys, separated by white space: a blank or a line end too many adds no empty key. */
export type KeyTexts = string | readonly string[];

/** The keys for `v1a` signatures: fixed keys, or a source of them. */
export interface PublicKeySource {
  /** `whpk_…` keys. `isUnknown` asks for keys beyond those that a signature has just failed under. */
  keys(isUnknown: boolean, signal?: AbortSignal): Promise<readonly string[]>;
}

export interface RemoteKeyOptions {
  fetch?: typeof fetch;
  /** The clock in milliseconds. */
  now?: () => number;
}

/** The service allows 5 minutes of caching. */
const FRESH_MS = 300_000;
/** Forged requests cause no more look-ups than this. */
const PAUSE_MS = 30_000;
const TIMEOUT_MS = 5_000;
const KEYS_MAX = 16;

const PATH = '/.well-known/webhook-public-keys';

/**
 * The keys of one endpoint at `/.well-known/webhook-public-keys/{endpointId}` of a deployment, kept for five minutes.
 * They are read again when a signature matches none of them, at most every 30 seconds; while the deployment does not
 * respond, those that were read last are used. A signature under one of them proves that the delivery was made for this
 * endpoint.
 */
export function remotePublicKeys(
  address: string,
  options: RemoteKeyOptions & {
    /** The endpoint whose deliveries are received, as `createWebhookEndpoint` returned its `id`. */
    endpointId: string;
  },
): PublicKeySource;
/**
 * @deprecated These keys sign for every endpoint of the deployment: the owner of another endpoint can pass its genuine
 * deliveries on to yours. The deployment ends them; give `endpointId`.
 */
export function remotePublicKeys(address: string, options?: RemoteKeyOptions): PublicKeySource;
export function remotePublicKeys(
  address: string,
  options: RemoteKeyOptions & { endpointId?: string } = {},
): PublicKeySource {
  const { endpointId, fetch = globalThis.fetch, now = Date.now } = options;
  const path = endpointId === undefined ? PATH : `${PATH}/${encodeURIComponent(endpointId)}`;
  const url = new URL(path, address).href;
  let known: { keys: readonly string[]; readAtMs: number } | undefined;
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    askedAtMs = now();
    const keys = await readKeys(url, fetch);
    known = { keys, readAtMs: now() };
  }

  return {
    async keys(isUnknown, signal) {
      const isFresh = known !== undefined && now() - known.readAtMs < FRESH_MS;
      const mayAsk = running !== undefined || now() - askedAtMs >= PAUSE_MS;
      if ((isUnknown || !isFresh) && mayAsk) {
        // One request at a time, however many deliveries arrive.
        running ??= refresh().finally(() => {
          running = undefined;
        });
        try {
          await abortable(running, signal);
        } catch (error) {
          if (known === undefined || signal?.aborted) throw error;
        }
      }
      if (known === undefined) throw new Error(`the keys at ${url} could not be read`);
      return known.keys;
    },
  };
}

async function readKeys(url: string, fetch: typeof globalThis.fetch): Promise<string[]> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' });
  if (!response.ok) throw new Error(`${url}: HTTP ${response.status}`);
  const { keys } = (await response.json()) as { keys?: { algorithm?: unknown; key?: unknown }[] };
  if (!Array.isArray(keys)) throw new Error(`${url} holds no list of keys`);
  return keys
    .slice(0, KEYS_MAX)
    .flatMap(({ algorithm, key }) => (algorithm === 'ed25519' && typeof key === 'string' ? [key] : []));
}

/** The shared request goes on when one of its callers gives up. */
function abortable<Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    // In any case: work that rejects and that nobody waits for would end the process.
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
