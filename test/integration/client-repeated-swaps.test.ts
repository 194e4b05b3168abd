import { beforeAll, describe, expect, test } from 'bun:test';
import { type ClientOptions, createClient, secretKeySigner, type TransactionSigner } from 'launchwire';
import { createChainRpc } from '../../src/chain/rpc.ts';
import { confirmSubmitted } from '../../src/intents/confirm/confirm-submitted.ts';
import { expireIntents } from '../../src/intents/end/expire-intents.ts';
import { followLandings } from '../../src/intents/land/follow-landings.ts';
import { broadcastDue } from '../../src/intents/send/broadcast-due.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { intentContext } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { thrown } from '../support/run/thrown.ts';
import { TradedMarket, type Trader } from '../support/trading/traded-market.ts';

let market: TradedMarket;
let trader: Trader;
let signer: TransactionSigner;
let token: Awaited<ReturnType<TradedMarket['launch']>>;

beforeAll(async () => {
  const limit = { limit: 100_000, windowSeconds: 60 };
  const RATE_LIMITS = JSON.stringify({
    'swap-prepare': limit,
    'transaction-submit': limit,
    'stream-open': limit,
  });
  market = await TradedMarket.start(() => ({ RATE_LIMITS }));
  trader = await market.trader();
  signer = await secretKeySigner(trader.wallet);
  token = await market.launch();
  startWorker();
});

/**
 * Broadcasts, confirms and reads what landed for as long as the tests run. The chain moves on only while something waits for it: the
 * api believes no node that climbs much faster than a cluster, and refuses swaps once its last belief is old.
 */
function startWorker(): void {
  const { database } = market.api.dependencies;
  const { context } = intentContext(database, [createChainRpc(market.chain.rpcUrl)], systemClock);
  context.onStatusChanged = (intentIds) => market.api.dependencies.pipeline.waits.wake(intentIds);
  let isEnding = false;
  const working = (async () => {
    while (!isEnding) {
      const [waiting] = await database`select from transaction_intents where status = 'submitted' limit 1`;
      if (waiting !== undefined) {
        await (await broadcastDue(context, 64)).sent;
        market.settle();
        await confirmSubmitted(context);
      }
      await followLandings(context);
      // biome-ignore lint/plugin: the pace of a worker in the background; nothing is asserted of it
      await Bun.sleep(20);
    }
  })();
  atEnd(() => {
    isEnding = true;
    return working;
  });
}

const clientOf = (options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: market.api.origin, apiKey: trader.key.text, baseDelayMs: 1, ...options });
const purchase = { side: 'buy', amountRaw: '10000000', slippageBps: 5_000 } as const;
const order = () => ({ mint: token.mint, ...purchase });

/** Intents of the wallet by their end. */
async function intents(status: string): Promise<string[]> {
  const rows = await market.api.dependencies.database<{ id: string }[]>`
    select id from transaction_intents where account_id = ${trader.key.accountId} and status = ${status} order by id`;
  return rows.map(({ id }) => id);
}

/** A process that dies at its nth request: the request took effect or not, and none follows. */
function mortal(diesAt: number) {
  const dead = Promise.withResolvers<'dead'>();
  const stopping = new AbortController();
  let line = 0;
  const pass = async () => {
    line += 1;
    if (line !== diesAt && !stopping.signal.aborted) return;
    dead.resolve('dead');
    stopping.abort();
    await new Promise(() => undefined);
  };
  const client = clientOf({
    async fetch(input: string, init: RequestInit) {
      if (input.includes('/stream?')) return fetch(input, init);
      await pass();
      const response = await fetch(input, init);
      await pass();
      return response;
    },
  } as never);
  const mortalSigner: TransactionSigner = {
    address: signer.address,
    async signTransaction(bytes) {
      await pass();
      const signed = await signer.signTransaction(bytes);
      await pass();
      return signed;
    },
  };
  /** What the call returns, or `dead`. */
  const swap = (idempotencyKey: string) =>
    Promise.race([
      client
        .swap(order(), mortalSigner, { idempotencyKey, signal: stopping.signal })
        .catch((error: unknown) => {
          if (stopping.signal.aborted) return 'dead' as const;
          throw error;
        }),
      dead.promise,
    ]);
  return { swap };
}

describe('a swap under a key of its own', () => {
  test('happens once, at whichever line the process dies before it is repeated', async () => {
    const before = (await intents('confirmed')).length;
    let deaths = 0;
    for (let line = 1; ; line += 1) {
      const key = `dies at line ${line}`;
      const first = await mortal(line).swap(key);
      const repeated = await clientOf().swap(order(), signer, { idempotencyKey: key });
      expect(repeated.intent.status).toBe('confirmed');
      expect((await intents('confirmed')).length - before).toBe(line);
      expect([...(await intents('prepared')), ...(await intents('failed'))]).toEqual([]);
      if (first !== 'dead') {
        expect(first).toEqual(repeated);
        break;
      }
      deaths += 1;
    }
    // Before and after each: preparing, signing, and the submission that waits.
    expect(deaths).toBeGreaterThanOrEqual(6);
  });

  test('happens once, however many call it at the same time', async () => {
    const before = (await intents('confirmed')).length;
    const calls = Array.from({ length: 6 }, () =>
      clientOf().swap(order(), signer, { idempotencyKey: 'at the same time' }),
    );
    const swapped = await Promise.all(calls);
    expect(new Set(swapped.map(({ intent }) => intent.id)).size).toBe(1);
    expect((await intents('confirmed')).length - before).toBe(1);
  });

  test('is prepared anew where the process died before the signature and its time is over', async () => {
    const { database } = market.api.dependencies;
    const key = 'died before it signed';
    expect(await mortal(3).swap(key)).toBe('dead');
    const [abandoned] = await intents('prepared');
    const later = intentContext(database, [], { now: () => new Date(Date.now() + 3_600_000) });
    expect(await expireIntents(later.context, null, 10)).toBe(1);
    const signed: string[] = [];
    const watched: TransactionSigner = {
      address: signer.address,
      signTransaction(bytes) {
        signed.push(Buffer.from(bytes).toString('base64'));
        return signer.signTransaction(bytes);
      },
    };
    const { intent } = await clientOf().swap(order(), watched, { idempotencyKey: key });
    expect(intent.status).toBe('confirmed');
    expect(intent.id).not.toBe(abandoned ?? '');
    // The wallet is not asked for a useless signature.
    expect(signed).toHaveLength(1);
    const again = await clientOf().swap(order(), watched, { idempotencyKey: key });
    expect(again.intent.id).toBe(intent.id);
    expect(signed).toHaveLength(1);
  });

  test('is not prepared anew while the service looks for a submission that it has lost', async () => {
    const { database, pipeline } = market.api.dependencies;
    const key = 'lost with a failover';
    expect(await mortal(3).swap(key)).toBe('dead');
    const [id = ''] = await intents('prepared');
    await database`update transaction_intents set expires_at = now() - interval '1 second' where id = ${id}`;
    const statuses: number[] = [];
    const client = clientOf({
      async fetch(input: string, init: RequestInit) {
        const response = await fetch(input, init);
        statuses.push(response.status);
        return response;
      },
    } as never);
    const repeated = client.swap(order(), signer, { idempotencyKey: key });
    await eventually('the submission is refused', async () => statuses.includes(409));
    // As the worker does where the chain has the transaction.
    await database`
      update transaction_intents set status = 'confirmed', signed_transaction = prepared_transaction, submitted_at = now(),
        completed_at = now(), transaction_signature = ${'5'.repeat(88)}, version = version + 2
      where id = ${id}`;
    pipeline.waits.wake([id]);
    expect((await repeated).intent).toMatchObject({ id, status: 'confirmed' });
    expect(await intents('prepared')).toEqual([]);
  });

  test('goes on with its second attempt, when the first one has failed', async () => {
    let moves = 1;
    /** The pool moves before the first signature. */
    const slow: TransactionSigner = {
      address: signer.address,
      async signTransaction(bytes) {
        if (moves > 0) await market.buy(token, 2_000_000_000n);
        moves -= 1;
        return signer.signTransaction(bytes);
      },
    };
    const swap = (attempts: number) =>
      clientOf().swap({ ...order(), slippageBps: 0 }, slow, {
        idempotencyKey: 'fails at first',
        attempts,
        pauseMs: 0,
      });
    const before = (await intents('confirmed')).length;
    for (const error of [await thrown(swap(1)), await thrown(swap(1))])
      expect(error).toMatchObject({ code: 'solana_transaction_failed' });
    expect(moves).toBe(0);
    const second = await swap(2);
    expect((await swap(2)).intent).toEqual(second.intent);
    expect((await intents('confirmed')).length - before).toBe(1);
  });

  test('is refused with other parameters, and takes no key that is too short', async () => {
    const idempotencyKey = 'at the same time';
    const other = clientOf().swap({ ...order(), amountRaw: '20000000' }, signer, { idempotencyKey });
    expect(await thrown(other)).toMatchObject({ code: 'idempotency_key_reused' });
    expect(await thrown(clientOf().swap(order(), signer, { idempotencyKey: 'short' }))).toBeInstanceOf(
      TypeError,
    );
  });
});

test('a swap takes two requests, and no stream', async () => {
  const requests: string[] = [];
  const client = clientOf({
    fetch: ((input: string, init: RequestInit) => {
      const { prefer } = Object.fromEntries(new Headers(init.headers));
      requests.push(`${init.method} ${new URL(input).pathname.split('/').at(-1)} ${prefer ?? ''}`.trim());
      return fetch(input, init);
    }) as typeof fetch,
  });
  // The submission waits a second for the landing. Where a busy machine takes longer, another request waits for it.
  const swapped = await eventually('a landing within a second', async () => {
    requests.length = 0;
    const outcome = await client.swap(order(), signer);
    return !requests.some((request) => /^GET [0-9a-f-]{36} wait=20$/.test(request)) && outcome;
  });
  const { swap, intent, landed } = swapped;
  expect(intent).toMatchObject({ id: swap.intentId, status: 'confirmed', version: 4 });
  expect(landed).toMatchObject({ succeeded: true, inputRaw: purchase.amountRaw, feeLamports: '5000' });
  expect(requests).toEqual(['POST swaps', 'POST submissions wait=20']);
});

describe('a submission under one key', () => {
  const prepared = async () => (await market.prepared(token.mint, trader, purchase)).intentId;

  test('is returned as it was, before and after it has landed, and not under another key', async () => {
    const client = clientOf();
    const id = await prepared();
    const idempotencyKey = 'submitted-twice';
    const first = await client.signAndSubmit(id, signer, { idempotencyKey });
    expect(first).toMatchObject({ id, status: 'submitted', version: 2 });
    expect(await client.signAndSubmit(id, signer, { idempotencyKey })).toEqual(first);
    expect(await client.waitForIntent(id)).toMatchObject({ status: 'confirmed' });
    expect(await client.signAndSubmit(id, signer, { idempotencyKey })).toEqual(first);
    const other = client.signAndSubmit(id, signer, { idempotencyKey: 'another-key' });
    expect(await thrown(other)).toMatchObject({ code: 'transaction_intent_not_prepared' });
  });

  test('does not ask the wallet again when the intent shows its signature', async () => {
    const client = clientOf();
    const id = await prepared();
    const idempotencyKey = 'signed-once-only';
    const first = await client.signAndSubmit(id, signer, { idempotencyKey });
    await client.waitForIntent(id);
    const silent = { address: signer.address, signTransaction: () => expect.unreachable() };
    expect(await client.signAndSubmit(id, silent, { idempotencyKey })).toEqual(first);
  });

  test('of several at the same time happens once', async () => {
    const id = await prepared();
    const calls = Array.from({ length: 5 }, () =>
      clientOf().signAndSubmit(id, signer, { idempotencyKey: 'five-at-once' }),
    );
    const submitted = await Promise.all(calls);
    for (const intent of submitted) expect(intent).toEqual(submitted[0] ?? expect.unreachable());
  });
});
