import { beforeAll, describe, expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import { heightAtSlot } from '../../sandbox/chain/commitment.ts';
import { curvePlans } from '../../sandbox/market/curve-kinds.ts';
import { createChainRpc } from '../../src/chain/rpc.ts';
import { confirmSubmitted } from '../../src/intents/confirm/confirm-submitted.ts';
import { broadcastDue } from '../../src/intents/send/broadcast-due.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { expectProblem } from '../support/api/problems.ts';
import { intentContext } from '../support/processes/worker-context.ts';
import { eventually } from '../support/run/eventually.ts';
import { type LyingNode, startLyingNode } from '../support/trading/lying-node.ts';
import { TradedMarket, type Trader } from '../support/trading/traded-market.ts';

/** Blocks by which the bound of a window may be too late: the margin, and what may pass while a reading is kept. */
const LATE = 139n + 60n;

const buy = { side: 'buy', amountRaw: '1000000000', slippageBps: 0 };

/** Signs and submits as a client does, and runs the worker until the intent ends. */
async function outcomeOf(market: TradedMarket, intentId: string, trader: Trader) {
  const signed = await market.sign(intentId, trader);
  const response = await market.submit(intentId, trader, signed);
  expect(response.status).toBe(202);
  const { database } = market.api.dependencies;
  const { context } = intentContext(database, [createChainRpc(market.chain.rpcUrl)], systemClock);
  return eventually('the end of the intent', async () => {
    await (await broadcastDue(context, 64)).sent;
    market.chain.advanceSlots(2);
    await confirmSubmitted(context);
    const intent = await market.intent(intentId, trader);
    return intent.status === 'submitted' ? null : intent;
  });
}

describe('a swap that was prepared', () => {
  let market: TradedMarket;
  let trader: Trader;

  beforeAll(async () => {
    market = await TradedMarket.start();
    trader = await market.trader();
  });

  test('lands when the pool has not moved', async () => {
    const { mint } = await market.launch();
    const { intentId } = await market.prepared(mint, trader, buy);
    expect(await outcomeOf(market, intentId, trader)).toMatchObject({ status: 'confirmed', error: null });
  });

  test('fails as a whole when the pool moved beyond its limit: nothing is paid but the network fee', async () => {
    const token = await market.launch();
    const { intentId } = await market.prepared(token.mint, trader, buy);
    await market.buy(token, 2_000_000_000n);
    const before = market.lamportsOf(trader);
    expect(await outcomeOf(market, intentId, trader)).toMatchObject({
      status: 'failed',
      error: { code: 'solana_transaction_failed' },
    });
    expect(before - market.lamportsOf(trader)).toBe(5_000n);
  });

  test('fails when its token graduates in between, and a new one is made on the AMM', async () => {
    const token = await market.launch(curvePlans.quick);
    const { intentId, quote } = await market.prepared(token.mint, trader, buy);
    expect(quote.venue).toBe('bonding_curve');
    await market.complete(token);
    market.migrate(token);
    expect(await outcomeOf(market, intentId, trader)).toMatchObject({
      status: 'failed',
      error: { code: 'solana_transaction_failed' },
    });
    const next = await market.prepared(token.mint, trader, buy);
    expect(next.quote.venue).toBe('amm');
    expect(await outcomeOf(market, next.intentId, trader)).toMatchObject({ status: 'confirmed' });
  });

  test('is refused when its time is over', async () => {
    const { mint } = await market.launch();
    const { intentId } = await market.prepared(mint, trader, buy);
    await market.api.dependencies.database`
      update transaction_intents set expires_at = now() - interval '1 second' where id = ${intentId}`;
    const signed = await market.sign(intentId, trader);
    await expectProblem(await market.submit(intentId, trader, signed), 'transaction_intent_expired');
  });

  test('does not land when its blockhash has expired, and the chain says so', async () => {
    const { mint } = await market.launch();
    const { intentId } = await market.prepared(mint, trader, buy);
    const signed = await market.sign(intentId, trader);
    market.chain.advanceSlots(200);
    expect(() => market.landSigned(signed)).toThrow('BlockhashNotFound');
  });
});

describe('nodes that lie', () => {
  let market: TradedMarket;
  let trader: Trader;
  let liar: LyingNode;

  beforeAll(async () => {
    market = await TradedMarket.start((chain) => {
      liar = startLyingNode(() => chain.rpcUrl);
      return { SOLANA_RPC_URL: `${liar.rpcUrl},${chain.rpcUrl}` };
    });
    trader = await market.trader();
  });

  const windows: [string, (height: bigint) => bigint][] = [
    ['has passed', (height) => height - 100n],
    ['is of another chain', (height) => height + 1_000_000n],
  ];
  test.each(windows)(
    'of a window that %s are passed over: the blockhash is that of another node',
    async (_name, height) => {
      const { mint } = await market.launch();
      const { ledger } = market.chain;
      liar.change = (method, { context, value }) =>
        method === 'getLatestBlockhash'
          ? { context, value: { ...value, lastValidBlockHeight: Number(height(heightAtSlot(ledger.slot))) } }
          : null;
      const { lastValidBlockHeight, intentId } = await market.freshlyPrepared(mint, trader, buy);
      expect(BigInt(lastValidBlockHeight)).toBeGreaterThan(heightAtSlot(ledger.slot));
      expect(BigInt(lastValidBlockHeight)).toBeLessThanOrEqual(heightAtSlot(ledger.slot) + 150n + LATE);
      expect(market.landSigned(await market.sign(intentId, trader))).toBeNull();
    },
  );

  test.each([1n, 20n, 149n])(
    'of a window that is only %p blocks long end no swap before its blockhash does',
    async (blocks) => {
      const { mint } = await market.launch();
      const { ledger } = market.chain;
      liar.change = (method, { context, value }) =>
        method === 'getLatestBlockhash'
          ? {
              context,
              value: { ...value, lastValidBlockHeight: Number(heightAtSlot(ledger.slot) + blocks) },
            }
          : null;
      const { lastValidBlockHeight, recentBlockhash, intentId } = await market.freshlyPrepared(
        mint,
        trader,
        buy,
      );
      expect(recentBlockhash).toBe(ledger.ring.hashOf(ledger.slot - 1n));
      expect(BigInt(lastValidBlockHeight)).toBeGreaterThanOrEqual(
        ledger.ring.lastValidBlockHeight(ledger.slot - 1n),
      );
      const { expiresAt, createdAt } = await market.intent(intentId, trader);
      // Nor does its time: the wallet has that of a window, less what a node may lag.
      expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBeGreaterThanOrEqual(23_000);
    },
  );

  test('of a blockhash that the chain does not know are passed over after the simulation', async () => {
    const { mint } = await market.launch();
    const unknown = Keypair.generate().publicKey.toBase58();
    liar.change = (method, { context, value }) =>
      method === 'getLatestBlockhash' ? { context, value: { ...value, blockhash: unknown } } : null;
    const { recentBlockhash, intentId } = await market.freshlyPrepared(mint, trader, buy);
    expect(recentBlockhash).not.toBe(unknown);
    expect(market.landSigned(await market.sign(intentId, trader))).toBeNull();
  });

  test('no swap is prepared when all of them lie', async () => {
    const { mint } = await market.launch();
    liar.change = (method, { context, value }) =>
      method === 'getLatestBlockhash' ? { context, value: { ...value, lastValidBlockHeight: 1 } } : null;
    const alone = await TradedMarket.over(market.chain, { SOLANA_RPC_URL: liar.rpcUrl });
    const owner = await alone.trader();
    await alone.list(mint, market.poolOf(mint));
    await expectProblem(await alone.swap(mint, owner, buy), 'chain_unavailable');
  });

  test('a burst of quotes of one token is one question to the node', async () => {
    liar.change = () => null;
    const { mint } = await market.launch();
    expect((await market.quote(mint, { side: 'buy', amountRaw: '1' })).status).toBeDefined();
    const amounts = Array.from({ length: 50 }, (_, at) => 1_000_000 + at);
    // A read is kept for one slot, so a burst that takes longer on a busy machine asks again.
    await eventually('one question', async () => {
      market.settle();
      liar.forget();
      const answers = await Promise.all(
        amounts.map((amountRaw) => market.quote(mint, { side: 'buy', amountRaw })),
      );
      const slots = await Promise.all(
        answers.map(async (one) => ((await one.json()) as { slot: string }).slot),
      );
      expect(new Set(slots).size).toBe(1);
      return liar.seen('getMultipleAccounts') === 1;
    });
  });
});
