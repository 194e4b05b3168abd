import { beforeAll, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import { Keypair } from '@solana/web3.js';
import { WRAPPED_SOL_MINT } from '../../src/chain/accounts/programs.ts';
import { createChainRpcs } from '../../src/chain/rpc.ts';
import { advanceLaunch } from '../../src/features/tokens/advance-launch.ts';
import { findReportedPool } from '../../src/features/tokens/announced-pool.ts';
import { LaunchedTokenSchema } from '../../src/features/tokens/schema.ts';
import { upsertToken } from '../../src/features/tokens/upsert-token.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { tokenMessage } from '../support/market/ingest-stream.ts';
import { storedEvents } from '../support/rows/stored-events.ts';
import { TradedMarket } from '../support/trading/traded-market.ts';

let market: TradedMarket;
let nodes: Parameters<typeof findReportedPool>[1];

beforeAll(async () => {
  market = await TradedMarket.start();
  nodes = { rpcs: createChainRpcs([market.chain.rpcUrl]), clock: systemClock };
});

type Report = Parameters<typeof upsertToken>[3];

function reportOf(mint: string, changes: Partial<Report>): Report {
  const { status = 'bonding' } = changes;
  // With a pool and without a time, the chain would have to show the creation first.
  const launchedAt = status === 'bonding' ? { launchedAt: new Date().toISOString() } : {};
  return { ...tokenMessage(mint), launchType: 'dbc', status, ...launchedAt, ...changes };
}

async function report(token: Report) {
  const { database, outbox } = market.api.dependencies;
  const pool = await findReportedPool(database, nodes, token);
  await database.begin((sql) => upsertToken(sql, outbox, systemClock, token, pool));
  return pool;
}

/** `data` of the events that announced a token. */
async function announcements(mint: string) {
  const events = await storedEvents(market.api.dependencies.database, 'launch.created', mint);
  return events.map(({ data }): { pool?: Record<string, string> | null } => data);
}

/** A pool on chain whose token nobody has reported. */
async function unreported() {
  const addresses = await market.launch();
  const { database } = market.api.dependencies;
  await database`delete from token_markets where mint_address = ${addresses.mint}`;
  await database`delete from tokens where mint_address = ${addresses.mint}`;
  return addresses;
}

async function expectPoolOf({ mint, pool }: { mint: string; pool: string }): Promise<void> {
  const [data, another] = await announcements(mint);
  expect(another).toBeUndefined();
  expect(Value.Check(LaunchedTokenSchema, data)).toBe(true);
  const query = { side: 'sell', amountRaw: '1000000' };
  const quote = (await (await market.quote(mint, query)).json()) as Record<string, unknown>;
  expect(data?.pool).toMatchObject({
    poolAddress: pool,
    programAddress: String(quote.programAddress),
    quoteMint: WRAPPED_SOL_MINT,
    spotPriceInSol: String(quote.spotPriceInSol),
  });
  const { baseReserveRaw, quoteReserveRaw, slot } = data?.pool ?? {};
  // The creator has bought for one SOL, a percent of which is the fee.
  expect(BigInt(quoteReserveRaw ?? '')).toBe(990_000_000n);
  expect(BigInt(baseReserveRaw ?? '')).toBeGreaterThan(0n);
  expect(BigInt(slot ?? '')).toBeLessThanOrEqual(BigInt(String(quote.slot)));
}

test('a report that announces a token carries the pool as the chain shows it, once', async () => {
  const { mint, pool } = await unreported();
  const token = reportOf(mint, { poolAddress: pool, announce: true });
  expect(await report(token)).not.toBeNull();
  await expectPoolOf({ mint, pool });
  expect(await report(token)).toBeNull();
  expect(await announcements(mint)).toHaveLength(1);
});

test('a token that was reported before carries it when it goes live', async () => {
  const { mint, pool } = await unreported();
  await report(reportOf(mint, { status: 'pending', poolAddress: pool }));
  await report(reportOf(mint, {}));
  await expectPoolOf({ mint, pool });
});

test('a token whose curve the indexer finds carries it as well', async () => {
  const { mint, pool } = await unreported();
  await report(reportOf(mint, { status: 'pending', poolAddress: pool }));
  const { database: db, outbox } = market.api.dependencies;
  const context = { db, outbox, ...nodes, onTokensChanged() {} };
  await advanceLaunch(context, mint, { stage: 'trading', at: new Date(Date.now() + 1_000) });
  await expectPoolOf({ mint, pool });
});

test.each<[string, () => string | null]>([
  ['no pool', () => null],
  ['a pool that is not there', () => Keypair.generate().publicKey.toBase58()],
  ['an account that is no pool', () => WRAPPED_SOL_MINT],
])('a token with %s is announced without a pool', async (_what, poolAddress) => {
  const mint = Keypair.generate().publicKey.toBase58();
  await report(reportOf(mint, { poolAddress: poolAddress(), announce: true }));
  expect((await announcements(mint)).map(({ pool }) => pool)).toEqual([null]);
});

test('a token is announced without its pool while no node responds, and never with the pool of another token', async () => {
  const [own, other] = [await unreported(), await unreported()];
  const foreign = reportOf(own.mint, { poolAddress: other.pool, announce: true });
  const { database } = market.api.dependencies;
  expect(await findReportedPool(database, nodes, foreign)).toBeNull();
  market.chain.setFaults({ down: 'unavailable' });
  const found = await findReportedPool(database, nodes, { ...foreign, poolAddress: own.pool });
  market.chain.setFaults({});
  expect(found).toBeNull();
});
