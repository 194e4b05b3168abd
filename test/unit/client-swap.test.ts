import { describe, expect, spyOn, test } from 'bun:test';
import { createClient, IntentError, type SwapOptions } from 'launchwire';
import { eventually } from '../support/run/eventually.ts';

const signer = { address: 'wallet', signTransaction: async (bytes: Uint8Array) => bytes };
const order = { mint: 'mint', side: 'buy', amountRaw: '1' } as const;

/** A service whose swaps end as `ends` says, one after the other: refused, or with the intent in this state. */
function serviceWith(
  ends: readonly ('swap_refused' | 'swap_amount_out_of_range' | 'confirmed' | 'failed')[],
  context?: object,
  { showsIntent = false, waits = false } = {},
) {
  const sent: string[] = [];
  const reads: string[] = [];
  const preferences: (string | null)[] = [];
  const keys: string[] = [];
  let swaps = 0;
  let status = 'prepared';
  const answer = (body: object, code = 200) => new Response(JSON.stringify(body), { status: code });
  const respond = async (input: string, { method, headers }: RequestInit) => {
    const { pathname } = new URL(input);
    const what = pathname.split('/').at(-1) ?? '';
    const intent = {
      id: 'intent',
      status,
      version: 1,
      expectedSigner: 'wallet',
      serializedTransaction: 'AAAA',
    };
    const error = status === 'failed' ? { code: 'solana_transaction_failed', detail: 'slippage' } : null;
    if (method !== 'POST') {
      reads.push(what);
      return answer({ ...intent, error });
    }
    sent.push(what);
    preferences.push(new Headers(headers).get('Prefer'));
    keys.push(new Headers(headers).get('Idempotency-Key') ?? '');
    if (what === 'swaps') {
      const end = ends[swaps] ?? 'confirmed';
      swaps += 1;
      status = 'prepared';
      if (end === 'swap_refused') return answer({ code: end, status: 409, detail: 'no', context }, 409);
      if (end === 'swap_amount_out_of_range') return answer({ code: end, status: 422, detail: 'no' }, 422);
      return answer({ intentId: 'intent', ...(showsIntent && { intent: { ...intent, status } }) }, 201);
    }
    status = ends[swaps - 1] ?? 'confirmed';
    const ended =
      status === 'failed' ? { error: { code: 'solana_transaction_failed', detail: 'slippage' } } : {};
    return waits
      ? answer({ ...intent, ...ended, status, version: 3 }, 202)
      : answer({ ...intent, status: 'submitted', version: 2 }, 202);
  };
  const client = createClient({
    baseUrl: 'http://api.test',
    apiKey: 'key',
    maxRetries: 0,
    fetch: respond as never,
  });
  const swap = (options: SwapOptions = {}) =>
    client.swap(order, signer, options).catch((error: unknown) => error);
  return { sent, reads, preferences, keys, swap };
}

describe('the requests of a swap', () => {
  test('are two where the service shows the intent and waits, also for each further attempt', async () => {
    const steps: string[] = [];
    const modern = serviceWith(['confirmed', 'failed', 'confirmed'], {}, { showsIntent: true, waits: true });
    await modern.swap({ onStep: (step) => void steps.push(step) });
    expect([modern.sent, modern.reads]).toEqual([['swaps', 'submissions'], []]);
    expect(modern.preferences).toEqual([null, 'wait=20']);
    expect(steps).toEqual(['prepared', 'submitted', 'confirmed']);
    await modern.swap({ attempts: 2, pauseMs: 0 });
    expect([modern.sent.length, modern.reads]).toEqual([6, []]);
    const failing = serviceWith(['failed'], {}, { showsIntent: true, waits: true });
    expect(await failing.swap()).toBeInstanceOf(IntentError);
    expect(failing.reads).toEqual([]);
  });

  test('read the intent where a service of an earlier release does not show it, and wait for the end of one that has no room', async () => {
    const earlier = serviceWith(['confirmed']);
    expect(await earlier.swap()).toMatchObject({ intent: { status: 'confirmed' } });
    expect(earlier.reads.length).toBeGreaterThanOrEqual(2);
    const full = serviceWith(['confirmed'], {}, { showsIntent: true });
    expect(await full.swap()).toMatchObject({ intent: { status: 'confirmed' } });
    expect(full.reads.length).toBeGreaterThanOrEqual(1);
  });
});

describe('a swap', () => {
  test('is submitted, whether or not somebody follows its steps', async () => {
    const silent = serviceWith(['confirmed']);
    expect(await silent.swap()).toMatchObject({ intent: { status: 'confirmed' } });
    expect(silent.sent).toEqual(['swaps', 'submissions']);
    const followed = serviceWith(['confirmed']);
    const steps: string[] = [];
    await followed.swap({ onStep: (step) => void steps.push(step) });
    expect(steps).toEqual(['prepared', 'submitted', 'confirmed']);
  });

  test('is prepared and signed again when the market moved, up to its number of attempts', async () => {
    const { sent, swap } = serviceWith(['swap_refused', 'failed', 'confirmed']);
    expect(await swap({ attempts: 3, pauseMs: 0 })).toMatchObject({ intent: { status: 'confirmed' } });
    expect(sent).toEqual(['swaps', 'swaps', 'submissions', 'swaps', 'submissions']);
    const once = serviceWith(['failed']);
    expect(await once.swap()).toBeInstanceOf(IntentError);
    const twice = serviceWith(['swap_refused', 'swap_refused', 'confirmed']);
    expect(await twice.swap({ attempts: 2, pauseMs: 0 })).toMatchObject({ code: 'swap_refused' });
    expect(twice.sent).toEqual(['swaps', 'swaps']);
  });

  test('is repeated after a refusal as its context says, and after one without context', async () => {
    const refusedWith = async (context?: object) => {
      const { sent, swap } = serviceWith(['swap_refused', 'confirmed'], context);
      const end = await swap({ attempts: 2, pauseMs: 0 });
      return [end instanceof Error ? (end as { code?: string }).code : 'swapped', sent.length];
    };
    expect(await refusedWith({ reason: 'insufficient_funds', retry: 'no' })).toEqual(['swap_refused', 1]);
    for (const context of [{ retry: 'repeat' }, { retry: 'quote_again' }, {}, undefined])
      expect(await refusedWith(context)).toEqual(['swapped', 3]);
  });

  test('under a key is prepared under the same one until an intent has ended, and submitted under that of the intent', async () => {
    const { keys, swap } = serviceWith(['swap_refused', 'failed', 'swap_refused', 'confirmed']);
    await swap({ attempts: 4, pauseMs: 0, idempotencyKey: 'order of today' });
    const [refused, failed, submitted, refusedAgain, confirmed, submittedAgain] = keys;
    expect(new Set([refused, failed]).size).toBe(1);
    expect(new Set([refusedAgain, confirmed]).size).toBe(1);
    expect(refused).not.toBe(confirmed ?? '');
    expect([submitted, submittedAgain]).toEqual(['submit-intent', 'submit-intent']);
    // The service accepts the key, whatever name the caller gives an order.
    for (const key of keys) expect(key).toMatch(/^[!-~]{8,128}$/);
    const other = serviceWith(['confirmed']);
    await other.swap({ idempotencyKey: 'order of tomorrow' });
    expect(keys).not.toContain(other.keys[0] ?? '');
  });

  test('waits between two attempts as long as the caller says, a second by default', async () => {
    const timers = spyOn(globalThis, 'setTimeout');
    await serviceWith(['swap_refused', 'confirmed']).swap({ attempts: 2, pauseMs: 7 });
    await serviceWith(['swap_refused', 'confirmed']).swap({ attempts: 2 });
    const delays = timers.mock.calls.map(([, delayMs]) => delayMs);
    timers.mockRestore();
    expect(delays).toContain(7);
    expect(delays).toContain(1_000);
  });

  test('is not repeated after a refusal that no market move can change', async () => {
    const { sent, swap } = serviceWith(['swap_amount_out_of_range']);
    expect(await swap({ attempts: 5 })).toMatchObject({ code: 'swap_amount_out_of_range' });
    expect(sent).toEqual(['swaps']);
  });

  test('ends with the reason of its signal, between two attempts too', async () => {
    const { sent, swap } = serviceWith(['swap_refused', 'confirmed']);
    const stopping = new AbortController();
    const reason = new Error('enough');
    const swapping = swap({ attempts: 2, signal: stopping.signal });
    await eventually('the first attempt is refused', async () => sent.length === 1);
    stopping.abort(reason);
    expect(await swapping).toBe(reason);
    expect(sent).toEqual(['swaps']);
  });
});
