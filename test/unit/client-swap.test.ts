import { describe, expect, test } from 'bun:test';
import { createClient, IntentError, type SwapOptions } from 'launchwire';

const signer = { address: 'wallet', signTransaction: async (bytes: Uint8Array) => bytes };
const order = { mint: 'mint', side: 'buy', amountRaw: '1' } as const;

/** A service whose swaps end as `ends` says, one after the other: refused, or with the intent in this state. */
function serviceWith(
  ends: readonly ('swap_refused' | 'swap_amount_out_of_range' | 'confirmed' | 'failed')[],
) {
  const sent: string[] = [];
  let swaps = 0;
  let status = 'prepared';
  const answer = (body: object, code = 200) => new Response(JSON.stringify(body), { status: code });
  const respond = async (input: string, { method }: RequestInit) => {
    const { pathname } = new URL(input);
    const what = pathname.split('/').at(-1) ?? '';
    const intent = {
      id: 'intent',
      status,
      version: 1,
      expectedSigner: 'wallet',
      serializedTransaction: 'AAAA',
    };
    if (method !== 'POST')
      return answer({
        ...intent,
        error: status === 'failed' ? { code: 'solana_transaction_failed', detail: 'slippage' } : null,
      });
    sent.push(what);
    if (what === 'swaps') {
      const end = ends[swaps] ?? 'confirmed';
      swaps += 1;
      status = 'prepared';
      if (end === 'swap_refused') return answer({ code: end, status: 409, detail: 'no' }, 409);
      if (end === 'swap_amount_out_of_range') return answer({ code: end, status: 422, detail: 'no' }, 422);
      return answer({ intentId: 'intent' }, 201);
    }
    status = ends[swaps - 1] ?? 'confirmed';
    return answer({ ...intent, status: 'submitted', version: 2 }, 202);
  };
  const client = createClient({
    baseUrl: 'http://api.test',
    apiKey: 'key',
    maxRetries: 0,
    fetch: respond as never,
  });
  const swap = (options: SwapOptions = {}) =>
    client.swap(order, signer, options).catch((error: unknown) => error);
  return { sent, swap };
}

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

  test('is prepared and signed again when the market moved, as often as it may', async () => {
    const { sent, swap } = serviceWith(['swap_refused', 'failed', 'confirmed']);
    expect(await swap({ attempts: 3 })).toMatchObject({ intent: { status: 'confirmed' } });
    expect(sent).toEqual(['swaps', 'swaps', 'submissions', 'swaps', 'submissions']);
    const once = serviceWith(['failed']);
    expect(await once.swap()).toBeInstanceOf(IntentError);
    const twice = serviceWith(['swap_refused', 'swap_refused', 'confirmed']);
    expect(await twice.swap({ attempts: 2 })).toMatchObject({ code: 'swap_refused' });
    expect(twice.sent).toEqual(['swaps', 'swaps']);
  });

  test('is not repeated for what no market changes', async () => {
    const { sent, swap } = serviceWith(['swap_amount_out_of_range']);
    expect(await swap({ attempts: 5 })).toMatchObject({ code: 'swap_amount_out_of_range' });
    expect(sent).toEqual(['swaps']);
  });

  test('ends with the reason of its signal, between two attempts too', async () => {
    const { sent, swap } = serviceWith(['swap_refused', 'confirmed']);
    const stopping = new AbortController();
    const reason = new Error('enough');
    const swapping = swap({ attempts: 2, signal: stopping.signal });
    setTimeout(() => stopping.abort(reason), 20);
    expect(await swapping).toBe(reason);
    expect(sent).toEqual(['swaps']);
  });
});
