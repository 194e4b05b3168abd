import { afterEach, expect, jest, test } from 'bun:test';
import { createClient, type SwapOptions } from 'launchwire';

afterEach(() => void jest.useRealTimers());

const signer = { address: 'wallet', signTransaction: async (bytes: Uint8Array) => bytes };
const order = { mint: 'mint', side: 'buy', amountRaw: '5' } as const;
const landed = { inputRaw: '5', outputRaw: '6', feeLamports: '7', tipLamports: '8', quoteDifferenceBps: -9 };
const confirmed = { status: 'confirmed', version: 3, finality: 'confirmed', landed: null };

type Read = (init: RequestInit) => Response | Promise<Response>;

/** A service whose submission is answered with these facts of the intent, and whose reads of it are answered by `read`. */
function serviceWith(facts: object, read: Read = () => expect.unreachable()) {
  const prepared = { id: 'intent', version: 1, expectedSigner: 'wallet', serializedTransaction: 'AAAA' };
  const respond = async (input: string, init: RequestInit) => {
    if (init.method !== 'POST') return read(init);
    if (input.endsWith('/swaps')) return Response.json({ intentId: 'intent', intent: prepared });
    return Response.json({ ...prepared, ...facts }, { status: 202 });
  };
  const client = createClient({ baseUrl: 'http://api.test', maxRetries: 0, fetch: respond as never });
  return (options: SwapOptions = {}) => client.swap(order, signer, options);
}

/** Reads that no answer comes to before their signal. */
function silence() {
  const begun = Promise.withResolvers<void>();
  const read: Read = ({ signal }) => {
    begun.resolve();
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
    });
  };
  return { read, begun: begun.promise };
}

test('a swap returns what was paid and received, without another request where its submission shows it', async () => {
  const swap = serviceWith({ ...confirmed, version: 4, landed });
  expect(await swap()).toMatchObject({ swap: { intentId: 'intent' }, intent: { landed }, landed });
});

test('a swap waits for it from the version of the confirmation, which it has told by then', async () => {
  const steps: string[] = [];
  const read: Read = ({ headers }) => {
    const sent = new Headers(headers);
    expect([sent.get('Prefer'), sent.get('If-None-Match')]).toEqual(['wait=20', '"3"']);
    expect(steps).toEqual(['prepared', 'submitted', 'confirmed']);
    return Response.json({ id: 'intent', ...confirmed, version: 4, landed });
  };
  const done = await serviceWith(confirmed, read)({ onStep: (step) => void steps.push(step) });
  expect(done).toMatchObject({ intent: { version: 4, landed }, landed });
});

test.each<[string, object]>([
  ['was dropped by a fork', { finality: 'reverted', landed: null }],
  ['comes from a service without landings', { finality: undefined, landed: undefined }],
])('a swap that %s is returned without it, at once', async (_name, facts) => {
  const done = await serviceWith({ ...confirmed, ...facts })();
  expect(done).toMatchObject({ intent: { status: 'confirmed' }, landed: null });
});

test('a swap whose facts no node shows is returned after ten seconds: it has landed all the same', async () => {
  jest.useFakeTimers();
  const { read, begun } = silence();
  const swapping = serviceWith(confirmed, read)();
  await begun;
  jest.advanceTimersByTime(10_000);
  expect(await swapping).toMatchObject({ intent: { status: 'confirmed', version: 3 }, landed: null });
});

test('a swap that has landed is returned, also when its signal fires or the service refuses to show more', async () => {
  const stopping = new AbortController();
  const { read, begun } = silence();
  const swapping = serviceWith(confirmed, read)({ signal: stopping.signal });
  await begun;
  stopping.abort();
  expect(await swapping).toMatchObject({ intent: { status: 'confirmed' }, landed: null });
  const refused = () =>
    Response.json({ code: 'insufficient_scope', status: 403, detail: 'no' }, { status: 403 });
  const done = await serviceWith(confirmed, refused)();
  expect(done).toMatchObject({ intent: { status: 'confirmed' }, landed: null });
});
