import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { heightAtSlot } from '../../sandbox/chain/commitment.ts';
import type { SandboxChain } from '../../sandbox/chain/server.ts';
import { expectProblem } from '../support/api/problems.ts';
import { interceptNode } from '../support/chain/node-interceptor.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { type LyingNode, startLyingNode } from '../support/trading/lying-node.ts';
import { TradedMarket, type Trader } from '../support/trading/traded-market.ts';

const BEHIND_SLOTS = 140;
const NEAR_SLOTS = 16n;
const buy = { side: 'buy', amountRaw: '1000000000', slippageBps: 50 };

/** A chain that is old enough for a node to be far behind. */
function grown(chain: SandboxChain): SandboxChain {
  chain.advanceSlots(4 * BEHIND_SLOTS);
  return chain;
}

async function quoteOf(market: TradedMarket, mint: string) {
  market.api.dependencies.tradingCaches.snapshots.clear();
  const response = await market.quote(mint, buy);
  if (response.status !== 200) throw new Error(`no quote: ${await response.text()}`);
  return (await response.json()) as { outputRaw: string; slot: string; asOf: string };
}

describe('a node that was far behind before this process began, listed before one that is not', () => {
  let market: TradedMarket;
  let trader: Trader;
  let counted: LyingNode;

  beforeAll(async () => {
    market = await TradedMarket.start((chain) => {
      const behind = grown(chain).addNode({ lagSlots: BEHIND_SLOTS });
      atEnd(() => behind.stop());
      counted = startLyingNode(() => behind.rpcUrl);
      return { SOLANA_RPC_URL: `${counted.rpcUrl},${chain.rpcUrl}` };
    });
    trader = await market.trader();
    await eventually('both nodes have said where they are', async () =>
      market.api.dependencies.rpcs.every(({ positions }) => positions.latest(new Date()) !== null),
    );
  });

  test('is not quoted: the price is current', async () => {
    const token = await market.launch();
    await market.buy(token, 2_000_000_000n);
    const current = await TradedMarket.over(market.chain, { SOLANA_RPC_URL: market.chain.rpcUrl });
    await current.list(token.mint, token.pool);
    const { outputRaw, slot } = await quoteOf(market, token.mint);
    expect(outputRaw).toBe((await quoteOf(current, token.mint)).outputRaw);
    expect(BigInt(slot)).toBeGreaterThanOrEqual(market.chain.ledger.slot - NEAR_SLOTS);
  });

  test('costs a quote no request', async () => {
    const { mint } = await market.launch();
    await quoteOf(market, mint);
    counted.forget();
    await quoteOf(market, mint);
    expect(counted.seen('getMultipleAccounts')).toBe(0);
  });

  test('neither simulates a swap nor gives its blockhash: a wallet that was funded just now can buy', async () => {
    const { mint } = await market.launch();
    const owner = await market.trader();
    market.settle();
    const { ledger } = market.chain;
    const { recentBlockhash, lastValidBlockHeight, intentId } = await market.freshlyPrepared(
      mint,
      owner,
      buy,
    );
    expect(recentBlockhash).toBe(ledger.ring.hashOf(ledger.slot - 1n));
    expect(BigInt(lastValidBlockHeight)).toBeGreaterThanOrEqual(
      ledger.ring.lastValidBlockHeight(ledger.slot - 1n),
    );
    expect(market.landSigned(await market.sign(intentId, owner))).toBeNull();
  });

  test('is not believed when it says that a blockhash of now ends soon by its own height', async () => {
    const { mint } = await market.launch();
    const { ledger } = market.chain;
    // It gives the newest blockhash, and the end of the window as its height would have it.
    counted.change = (method, { context }) =>
      method === 'getLatestBlockhash'
        ? {
            context: { ...context, slot: Number(ledger.slot) },
            value: {
              blockhash: ledger.ring.hashOf(ledger.slot - 1n),
              lastValidBlockHeight: Number(heightAtSlot(ledger.slot)) - BEHIND_SLOTS + 150,
            },
          }
        : null;
    const { lastValidBlockHeight } = await market.freshlyPrepared(mint, trader, buy);
    counted.change = () => null;
    expect(BigInt(lastValidBlockHeight)).toBeGreaterThanOrEqual(
      ledger.ring.lastValidBlockHeight(ledger.slot - 1n),
    );
  });
});

describe('nodes that respond as of an old slot', () => {
  let market: TradedMarket;
  let first: LyingNode;

  beforeAll(async () => {
    market = await TradedMarket.start((chain) => {
      grown(chain);
      first = startLyingNode(() => chain.rpcUrl);
      return { SOLANA_RPC_URL: `${first.rpcUrl},${chain.rpcUrl}` };
    });
  });
  beforeEach(() => {
    first.change = () => null;
    first.forget();
  });

  /** A lagging node that ignores the required slot. */
  function respondsLate(result: { context: { slot: number } }) {
    return { ...result, context: { ...result.context, slot: result.context.slot - BEHIND_SLOTS } };
  }

  test('are passed over, also when they say elsewhere that they are at the head', async () => {
    const { mint } = await market.launch();
    await quoteOf(market, mint);
    first.forget();
    first.change = (method, result) => (method === 'getMultipleAccounts' ? respondsLate(result) : null);
    const { slot } = await quoteOf(market, mint);
    expect(first.seen('getMultipleAccounts')).toBe(1);
    expect(BigInt(slot)).toBeGreaterThanOrEqual(market.chain.ledger.slot - NEAR_SLOTS);
  });

  test.each(['simulateTransaction', 'getLatestBlockhash'])('are passed over for %s', async (late) => {
    const { mint } = await market.launch();
    const trader = await market.trader();
    const { ledger } = market.chain;
    market.settle();
    first.change = (method, result) => {
      if (method !== late) return null;
      const value =
        late === 'simulateTransaction'
          ? { ...result.value, err: 'AccountNotFound' }
          : { ...result.value, blockhash: ledger.ring.hashOf(ledger.slot - BigInt(BEHIND_SLOTS)) };
      return respondsLate({ ...result, value });
    };
    const { recentBlockhash } = await market.freshlyPrepared(mint, trader, buy);
    // A blockhash is kept so shortly that a slow preparation asks twice.
    expect(first.seen(late)).toBeGreaterThan(0);
    expect(recentBlockhash).toBe(ledger.ring.hashOf(ledger.slot - 1n));
  });

  test('leave nothing to quote or prepare when there is no other', async () => {
    const alone = await TradedMarket.over(market.chain, { SOLANA_RPC_URL: first.rpcUrl });
    const { mint } = await market.launch();
    await alone.list(mint, market.poolOf(mint));
    const trader = await alone.trader();
    market.settle();
    first.change = (method, result) => (method === 'getMultipleAccounts' ? respondsLate(result) : null);
    await expectProblem(await alone.quote(mint, buy), 'chain_unavailable');
    first.change = (method, result) => (method === 'simulateTransaction' ? respondsLate(result) : null);
    await expectProblem(await alone.swap(mint, trader, buy), 'chain_unavailable');
  });

  test('are not taken for nodes that do not know a wire version', async () => {
    const node = interceptNode(market.chain.rpcUrl);
    atEnd(() => node.stop());
    const alone = await TradedMarket.over(market.chain, { SOLANA_RPC_URL: node.rpcUrl });
    const { mint } = await market.launch();
    await alone.list(mint, market.poolOf(mint));
    const trader = await alone.trader();
    market.settle();
    const behind = { code: -32016, message: 'Minimum context slot has not been reached' };
    node.answer = (method) =>
      method === 'simulateTransaction' ? { ...behind, data: { contextSlot: 1 } } : null;
    await expectProblem(
      await alone.swap(mint, trader, { ...buy, transactionVersion: 'v1' }),
      'chain_unavailable',
    );
  });

  test.each([
    ['v1', 'validation_failed'],
    ['legacy', 'chain_unavailable'],
  ] as const)(
    'a %s swap that no node simulates is %s: only a wire version may be too new for them',
    async (transactionVersion, code) => {
      const node = interceptNode(market.chain.rpcUrl);
      atEnd(() => node.stop());
      const alone = await TradedMarket.over(market.chain, { SOLANA_RPC_URL: node.rpcUrl });
      const { mint } = await market.launch();
      await alone.list(mint, market.poolOf(mint));
      const trader = await alone.trader();
      market.settle();
      const refused = { code: -32602, message: 'invalid transaction' };
      node.answer = (method) => (method === 'simulateTransaction' ? refused : null);
      await expectProblem(await alone.swap(mint, trader, { ...buy, transactionVersion }), code);
    },
  );

  test('a quote costs one request where no node is behind, and says when its slot was by the chain', async () => {
    const { mint } = await market.launch();
    await quoteOf(market, mint);
    first.forget();
    const { slot, asOf } = await quoteOf(market, mint);
    expect(first.seen('getMultipleAccounts')).toBe(1);
    const chainMs = market.chain.ledger.clock.unixMsOf(BigInt(slot));
    expect(Date.parse(asOf)).toBe(Math.floor(chainMs / 1_000) * 1_000);
  });

  test('a node that shows no clock of the chain is not quoted', async () => {
    const { mint } = await market.launch();
    await quoteOf(market, mint);
    first.change = (method, result) =>
      method === 'getMultipleAccounts'
        ? { ...result, value: result.value.map((account: object, at: number) => (at === 1 ? null : account)) }
        : null;
    market.api.dependencies.tradingCaches.snapshots.clear();
    await expectProblem(await market.quote(mint, buy), 'chain_unavailable');
  });
});
