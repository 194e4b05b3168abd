import { beforeAll, beforeEach, expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import type { LaunchAddresses } from '../../sandbox/market/launch-addresses.ts';
import { startTestApi } from '../support/api/api.ts';
import { expectProblem } from '../support/api/problems.ts';
import { type PricedNode, startPricedNode } from '../support/chain/priced-node.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { TradedMarket } from '../support/trading/traded-market.ts';

let chain: SandboxChain;
let node: PricedNode;
let market: TradedMarket;
let token: LaunchAddresses;

const address = () => Keypair.generate().publicKey.toBase58();
const hundred = Array.from({ length: 100 }, (_, at) => (at + 1) * 10);

beforeAll(async () => {
  chain = await startChain({ slotMs: 'manual' });
  atEnd(() => chain.stop());
  node = startPricedNode(chain.rpcUrl);
  market = await TradedMarket.over(chain, { SOLANA_RPC_URL: node.url, MAX_COMPUTE_UNIT_PRICE: '777' });
  token = await market.launch();
});

beforeEach(() => {
  Object.assign(node, { prices: hundred, asked: [] });
});

const read = (query: string) => fetch(`${market.api.baseUrl}/priority-fees${query}`);

test('are percentiles of recent blocks for the accounts that every swap of the token writes', async () => {
  const response = await read(`?mint=${token.mint}`);
  expect(response.status).toBe(200);
  const [accounts = []] = node.asked;
  expect(accounts).toHaveLength(3);
  expect(accounts[0]).toBe(token.pool);
  expect(await response.json()).toEqual({
    mintAddress: token.mint,
    accounts,
    levels: { min: '10', low: '250', medium: '500', high: '750', veryHigh: '950' },
    maxComputeUnitPrice: '777',
    sampleSize: 100,
    slot: '1099',
  });
  const { database } = market.api;
  const environment = { SOLANA_RPC_URL: node.url, MAX_COMPUTE_UNIT_PRICE: '900' };
  const other = await startTestApi({ database, environment });
  const ofToken = await fetch(`${other.baseUrl}/priority-fees?mint=${token.mint}`);
  expect(await ofToken.json()).toMatchObject({ maxComputeUnitPrice: '900' });
});

test.each([200, 300])('are what the instructions of a swap name: %d', async (price) => {
  Object.assign(node, { prices: hundred.map(() => price) });
  const { key } = await market.trader();
  const { mint } = await market.launch();
  const response = await fetch(`${market.api.baseUrl}/tokens/${mint}/swap-instructions`, {
    method: 'POST',
    headers: { ...key.header, 'content-type': 'application/json' },
    body: JSON.stringify({ side: 'buy', amountRaw: '10000000' }),
  });
  expect(await response.json()).toMatchObject({ computeUnits: { price: String(price) } });
});

test('are those of the AMM pool after the migration, and none in between', async () => {
  const moving = await market.launch();
  const [before] = await accountsOf(moving);
  await market.complete(moving);
  const problem = await expectProblem(await read(`?mint=${moving.mint}`), 'token_not_tradable', 'GET');
  expect(problem.context).toMatchObject({ reason: 'migrating' });
  market.migrate(moving);
  const after = await accountsOf(moving);
  expect(after).not.toContain(before ?? '');
  expect(after[0]).not.toBe(moving.pool);
});

async function accountsOf({ mint }: LaunchAddresses): Promise<string[]> {
  const response = await read(`?mint=${mint}`);
  return ((await response.json()) as { accounts: string[] }).accounts;
}

test('are read for named accounts, whose order and repetition do not matter, once for a slot', async () => {
  const [one, two] = [address(), address()].sort();
  const first = await read(`?accounts=${two},${one},${two}`);
  expect(await first.json()).toMatchObject({ mintAddress: null, accounts: [one, two], sampleSize: 100 });
  const bodies = await Promise.all(
    [`${one},${two}`, `${two},${one}`].map(async (accounts) => (await read(`?accounts=${accounts}`)).status),
  );
  expect(bodies).toEqual([200, 200]);
  expect(node.asked.every((asked) => asked.join() === `${one},${two}`)).toBe(true);
});

test.each([
  [[], { min: '0', high: '0', veryHigh: '0' }, null],
  [[7], { min: '7', low: '7', medium: '7', high: '7', veryHigh: '7' }, '1000'],
  [[0, 0, 0, 100], { min: '0', medium: '0', high: '0', veryHigh: '100' }, '1003'],
])('of blocks at %p are the nearest ranks', async (prices, levels, slot) => {
  node.prices = prices;
  const response = await read(`?accounts=${address()}`);
  expect(await response.json()).toMatchObject({ levels, slot, sampleSize: prices.length });
});

test('take at most 150 blocks of a node', async () => {
  node.prices = Array.from({ length: 200 }, () => 5);
  expect(await (await read(`?accounts=${address()}`)).json()).toMatchObject({ sampleSize: 150 });
});

test('without a node that responds are 503', async () => {
  node.prices = null;
  await expectProblem(await read(`?accounts=${address()}`), 'chain_unavailable', 'GET');
});

test('of an unknown token are 404', async () => {
  await expectProblem(await read(`?mint=${address()}`), 'token_not_found', 'GET');
});

test.each([
  ['', '/query/mint', 'required'],
  [`?mint=${address()}&accounts=${address()}`, '/query/accounts', 'invalid_value'],
  ['?mint=nothing', '/query/mint', 'invalid_format'],
  ['?accounts=', '/query/accounts', 'invalid_format'],
  ['?accounts=nothing', '/query/accounts', 'invalid_format'],
  [`?accounts=${address()},`, '/query/accounts', 'invalid_format'],
  [`?accounts=${Array.from({ length: 17 }, address).join()}`, '/query/accounts', undefined],
  [`?accounts=${address()}&accounts=${address()}`, '/query/accounts', 'invalid_type'],
  [`?mint=${address()}&level=high`, '/query/level', 'unknown_field'],
])('refuse %s', async (query, path, code) => {
  const problem = await expectProblem(await read(query), 'validation_failed');
  expect(problem.errors).toEqual([expect.objectContaining(code === undefined ? { path } : { path, code })]);
  expect(node.asked).toEqual([]);
});
