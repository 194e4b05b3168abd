import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import { Keypair } from '@solana/web3.js';
import { startChain } from '../../sandbox/chain/server.ts';
import { curvePlans } from '../../sandbox/market/curve-kinds.ts';
import type { LaunchAddresses } from '../../sandbox/market/launch-addresses.ts';
import { QuoteBasketSchema } from '../../src/features/trading/basket/schema.ts';
import { fillGate } from '../support/api/full-gate.ts';
import { expectProblem } from '../support/api/problems.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { type LyingNode, startLyingNode } from '../support/trading/lying-node.ts';
import { TradedMarket, type Trader } from '../support/trading/traded-market.ts';

interface Item {
  mintAddress: string;
  // biome-ignore lint/suspicious/noExplicitAny: its schema is tested elsewhere
  quote: any;
  error: { code: string; detail: string; context: Record<string, unknown> | null } | null;
}

let market: TradedMarket;
let node: LyingNode;
let trader: Trader;
const tokens: LaunchAddresses[] = [];
const unknown = Keypair.generate().publicKey.toBase58();

beforeAll(async () => {
  const chain = await startChain({ slotMs: 'manual' });
  atEnd(() => chain.stop());
  node = startLyingNode(() => chain.rpcUrl);
  // A budget that fills so slowly that a test can count what it has spent.
  const RATE_LIMITS = JSON.stringify({ 'public-read-expensive': { limit: 1_000, windowSeconds: 86_400 } });
  market = await TradedMarket.over(chain, { SOLANA_RPC_URL: node.rpcUrl, RATE_LIMITS });
  trader = await market.trader();
  for (const kind of ['steady', 'scheduled'] as const) tokens.push(await market.launch(curvePlans[kind]));
  const migrated = await market.launch(curvePlans.quick);
  await market.complete(migrated);
  market.migrate(migrated);
  tokens.push(migrated);
});
beforeEach(() => {
  market.settle();
  node.change = () => null;
});

const mints = () => tokens.map(({ mint }) => mint);

function ask(query: Record<string, string | number>): Promise<Response> {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) search.set(name, String(value));
  return fetch(`${market.api.baseUrl}/quotes?${search}`);
}

async function basket(query: Record<string, string | number>) {
  const response = await ask(query);
  const body = await response.json();
  if (response.status !== 200) throw new Error(JSON.stringify(body));
  expect(Value.Check(QuoteBasketSchema, body)).toBe(true);
  return body as { items: Item[]; slot: string; asOf: string };
}

describe('a basket of quotes', () => {
  test('is of one slot and one read of the chain, in the order of its mints, and each is the single quote', async () => {
    const { tradingCaches } = market.api.dependencies;
    await basket({ mints: mints().join(), side: 'buy', amountRaw: '1000000' });
    node.forget();
    const { items, slot } = await basket({ mints: mints().join(), side: 'buy', amountRaw: '1000000' });
    expect(node.seen('getMultipleAccounts')).toBe(1);
    expect(items.map(({ mintAddress }) => mintAddress)).toEqual(mints());
    expect(items.map(({ quote }) => quote.slot)).toEqual(mints().map(() => slot));
    tradingCaches.snapshots.clear();
    for (const { mintAddress, quote, error } of items) {
      expect(error).toBeNull();
      const single = await (await market.quote(mintAddress, { side: 'buy', amountRaw: '1000000' })).json();
      expect(quote).toEqual(single);
    }
    expect(items.map(({ quote }) => quote.venue)).toEqual(['bonding_curve', 'bonding_curve', 'amm']);
  });

  test('learns tokens that it does not know yet with two requests before the read', async () => {
    const { tradingCaches } = market.api.dependencies;
    tradingCaches.tokens.clear();
    tradingCaches.facts.clear();
    node.forget();
    await basket({ mints: mints().join(), side: 'buy', amountRaw: '1000000' });
    expect(node.seen('getMultipleAccounts')).toBe(3);
  });

  test('has one value for all or one for each mint', async () => {
    const [first = '', second = ''] = mints();
    const { items } = await basket({
      mints: [first, second].join(),
      side: 'buy,sell',
      amountRaw: '1000000,2000000',
      mode: 'exact-in',
      slippageBps: 100,
    });
    expect(items.map(({ quote: { side, inputRaw, slippageBps } }) => [side, inputRaw, slippageBps])).toEqual([
      ['buy', '1000000', 100],
      ['sell', '2000000', 100],
    ]);
  });

  test('sells shares of what a wallet holds, of balances in the same slot', async () => {
    const [first = '', second = '', third = ''] = mints();
    for (const mint of [first, third]) {
      const order = { side: 'buy', amountRaw: '10000000' };
      const { intentId } = await market.freshlyPrepared(mint, trader, order);
      expect(market.landSigned(await market.sign(intentId, trader))).toBeNull();
    }
    const { walletAddress: wallet } = trader.key;
    const selling = {
      mints: [first, second, third].join(),
      side: 'sell',
      amountBps: '10000,10000,5000',
      wallet,
    };
    node.forget();
    const { items, slot } = await basket(selling);
    expect(node.seen('getMultipleAccounts')).toBe(1);
    expect(items[0]?.quote).toMatchObject({
      amountBps: 10_000,
      slot,
      inputRaw: items[0]?.quote.walletBalanceRaw,
    });
    expect(items[1]?.error).toMatchObject({
      code: 'swap_amount_out_of_range',
      context: { reason: 'balance_empty' },
    });
    const { inputRaw, walletBalanceRaw } = items[2]?.quote ?? expect.unreachable();
    expect(BigInt(inputRaw)).toBe(BigInt(walletBalanceRaw) / 2n);
    for (const item of [items[0], items[2]]) {
      const { mintAddress = '', quote } = item ?? expect.unreachable();
      const query = { side: 'sell', amountBps: quote.amountBps, wallet };
      expect(quote).toEqual(await (await market.quote(mintAddress, query)).json());
    }
  });

  test('keeps what is wrong with one token from the others', async () => {
    const [first = '', second = ''] = mints();
    const pending = Keypair.generate().publicKey.toBase58();
    await market.list(pending, null);
    const elsewhere = Keypair.generate().publicKey.toBase58();
    await market.list(elsewhere, Keypair.generate().publicKey.toBase58());
    const { items } = await basket({
      mints: [unknown, first, pending, second, elsewhere].join(),
      side: 'buy',
      amountRaw: `1000000,${2n ** 64n},1000000,1000000,1000000`,
    });
    expect(items.map(({ error }) => error && [error.code, error.context?.reason])).toEqual([
      ['token_not_found', undefined],
      ['swap_amount_out_of_range', 'above_u64'],
      ['token_not_tradable', 'not_launched'],
      null,
      ['token_not_tradable', 'not_launched'],
    ]);
    expect(items.map(({ quote }) => quote === null)).toEqual([true, true, true, false, true]);
  });

  test('of tokens that are all unknown is a basket of errors, in the slot of the chain', async () => {
    const { items, slot } = await basket({ mints: unknown, side: 'buy', amountRaw: '1' });
    expect(items).toMatchObject([{ quote: null, error: { code: 'token_not_found', context: null } }]);
    expect(BigInt(slot)).toBeGreaterThan(0n);
  });

  test('computes a platform fee for each', async () => {
    const { items } = await basket({
      mints: mints().join(),
      side: 'buy',
      amountRaw: '1000000',
      platformFeeBps: 100,
    });
    for (const { quote } of items)
      expect(quote.platformFee).toEqual({ bps: 100, lamports: '10000', account: null });
  });
});

describe('a basket is refused as a whole', () => {
  const one = unknown;
  test.each<[string, string, Record<string, string | number>]>([
    ['no mints', 'mints', { side: 'buy', amountRaw: '1' }],
    ['an empty mint', 'mints', { mints: `${one},`, side: 'buy', amountRaw: '1' }],
    ['no address', 'mints', { mints: 'abc', side: 'buy', amountRaw: '1' }],
    ['the same mint twice', 'mints', { mints: `${one},${one}`, side: 'buy', amountRaw: '1' }],
    ['no side', 'side', { mints: one, amountRaw: '1' }],
    ['another side', 'side', { mints: one, side: 'both', amountRaw: '1' }],
    ['sides of another number', 'side', { mints: one, side: 'buy,sell', amountRaw: '1' }],
    ['no amount', 'amountRaw', { mints: one, side: 'buy' }],
    ['amounts of another number', 'amountRaw', { mints: one, side: 'buy', amountRaw: '1,2' }],
    [
      'two kinds of amounts',
      'amountBps',
      { mints: one, side: 'sell', amountRaw: '1', amountBps: '1', wallet: one },
    ],
    ['a share for a buy', 'amountBps', { mints: one, side: 'buy', amountBps: '1', wallet: one }],
    ['a share above all', 'amountBps', { mints: one, side: 'sell', amountBps: '10001', wallet: one }],
    ['a share without a wallet', 'wallet', { mints: one, side: 'sell', amountBps: '1' }],
    ['a wallet without a share', 'wallet', { mints: one, side: 'sell', amountRaw: '1', wallet: one }],
    [
      'a fee beyond the bound',
      'platformFeeBps',
      { mints: one, side: 'buy', amountRaw: '1', platformFeeBps: 501 },
    ],
    ['an unknown parameter', 'mint', { mints: one, side: 'buy', amountRaw: '1', mint: one }],
  ])('for %s', async (_name, field, query) => {
    const problem = await expectProblem(await ask(query), 'validation_failed');
    expect(problem.errors?.map(({ path }) => path)).toEqual([`/query/${field}`]);
  });

  test('for more than 20 mints', async () => {
    const many = Array.from({ length: 21 }, () => Keypair.generate().publicKey.toBase58()).join();
    const problem = await expectProblem(
      await ask({ mints: many, side: 'buy', amountRaw: '1' }),
      'validation_failed',
    );
    expect(problem.errors).toMatchObject([{ path: '/query/mints' }]);
  });

  test('while no node answers, and while the places of quotes are taken', async () => {
    const query = { mints: mints().join(), side: 'buy', amountRaw: '1000000' };
    market.chain.setFaults({ down: 'unavailable' });
    await expectProblem(await ask(query), 'chain_unavailable');
    market.chain.setFaults({});
    const release = fillGate(market.api.dependencies.gates.quotes);
    await expectProblem(await ask(query), 'api_dependency_unavailable');
    await release();
  });
});

test('a basket counts as one request for each of its tokens', async () => {
  const left = async (query: Record<string, string>) => {
    const response = await ask(query);
    await response.text();
    return Number(response.headers.get('x-ratelimit-remaining'));
  };
  // One request comes back every 86 s, perhaps between two of these.
  const costs = async (what: string, query: Record<string, string>, cost: number) => {
    const one = { mints: mints()[0] ?? '', side: 'buy', amountRaw: '1000000' };
    await eventually(what, async () => (await left(one)) - (await left(query)) === cost);
  };
  await costs('three', { mints: mints().join(), side: 'buy', amountRaw: '1000000' }, 3);
  // What is refused costs as much: the check comes after the limit, and no more than the largest basket.
  const many = Array.from({ length: 900 }, () => 'x').join();
  await costs('the largest basket', { mints: many, side: 'buy', amountRaw: '1' }, 20);
});
