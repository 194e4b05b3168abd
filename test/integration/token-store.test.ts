import { beforeAll, expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import type { Database } from '../../src/db/client.ts';
import type { OrdinalPosition } from '../../src/db/keyset-page.ts';
import { findMarketSnapshot } from '../../src/features/market/find-market-snapshot.ts';
import { advanceLaunch } from '../../src/features/tokens/advance-launch.ts';
import { findToken } from '../../src/features/tokens/find-token.ts';
import { setTokenHidden } from '../../src/features/tokens/hide-token.ts';
import { listTokens } from '../../src/features/tokens/list-tokens.ts';
import type { CurveStage } from '../../src/features/tokens/state.ts';
import { type ReportedToken, upsertToken } from '../../src/features/tokens/upsert-token.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { emptyTables } from '../support/database/empty-tables.ts';
import { eventsOf, openDatabase } from '../support/processes/worker-context.ts';
import { createTestClock } from '../support/run/clock.ts';

const clock = createTestClock();
const outbox = createOutbox({ source: 'https://api.test/api/v2', docsUrl: 'https://api.test/docs' }, clock);
let db: Database;

beforeAll(async () => {
  db = await openDatabase();
});

function reported(changes: Partial<ReportedToken> = {}): ReportedToken {
  return {
    mintAddress: Keypair.generate().publicKey.toBase58(),
    creatorWallet: Keypair.generate().publicKey.toBase58(),
    name: 'Wire',
    symbol: 'WIRE',
    decimals: 6,
    totalSupply: '1000000000',
    launchType: 'dbc',
    status: 'bonding',
    ...changes,
  };
}

function upsert(token: ReportedToken) {
  return db.begin((transaction) => upsertToken(transaction, outbox, clock, token));
}

test('a token without trades has every field, and null rather than a made-up price', async () => {
  const token = reported();
  await upsert(token);
  const found = await findToken(db, token.mintAddress);
  expect(JSON.parse(JSON.stringify(found))).toEqual({
    mintAddress: token.mintAddress,
    creatorWallet: token.creatorWallet,
    name: 'Wire',
    symbol: 'WIRE',
    description: null,
    imageUrl: null,
    decimals: 6,
    totalSupply: '1000000000',
    currentPriceInSol: null,
    marketCapInSol: null,
    solCollectedInSol: '0',
    launchType: 'dbc',
    status: 'bonding',
    launchedAt: clock.now().toISOString(),
    graduatedAt: null,
    links: { telegram: null, twitter: null, website: null },
  });
});

test('the market cap is the exact product of the published price and the supply', async () => {
  const token = reported({ totalSupply: '1000000000.123456789' });
  await upsert(token);
  await db`update token_markets set price_in_sol = '0.0000000289291234569999' where mint_address = ${token.mintAddress}`;
  const price = '0.000000028929123456';
  const marketCap = '28.929123459571496690462342784';
  expect(await findToken(db, token.mintAddress)).toMatchObject({
    currentPriceInSol: price,
    marketCapInSol: marketCap,
  });
  expect(await findMarketSnapshot(db, token.mintAddress)).toMatchObject({
    priceInSol: price,
    marketCapInSol: marketCap,
    liquidityInSol: null,
    holderCount: null,
    provenance: 'service-indexer',
  });
});

test('sums that are below zero for a moment are published as zero', async () => {
  const token = reported();
  await upsert(token);
  await db`update token_markets set sol_collected_in_sol = -5 where mint_address = ${token.mintAddress}`;
  expect(await findToken(db, token.mintAddress)).toMatchObject({ solCollectedInSol: '0' });
});

test('a hidden token is found nowhere, and is back when shown', async () => {
  const token = reported();
  await upsert(token);
  const hide = (hidden: boolean) => db.begin((sql) => setTokenHidden(sql, token.mintAddress, hidden));
  expect(await hide(true)).toEqual({ mintAddress: token.mintAddress, hidden: true });
  expect(await findToken(db, token.mintAddress)).toBeNull();
  expect(await findMarketSnapshot(db, token.mintAddress)).toBeNull();
  const { items: tokens } = await listTokens(db, { limit: 100 });
  expect(tokens.map((one) => one.mintAddress)).not.toContain(token.mintAddress);
  await hide(false);
  expect(await findToken(db, token.mintAddress)).not.toBeNull();
  await expect(db.begin((sql) => setTokenHidden(sql, 'unknown', true))).rejects.toMatchObject({
    reason: 'unknown',
  });
});

test('an upsert keeps missing fields, clears null fields, and normalises links', async () => {
  const token = reported({
    description: 'first',
    imageUrl: 'https://cdn.dev/1.png',
    links: { telegram: '@launchwire', website: 'javascript:alert(1)' },
  });
  expect(await upsert(token)).toMatchObject({ created: true });
  const { description: _, links: __, ...rest } = token;
  expect(await upsert({ ...rest, imageUrl: null, name: 'Renamed' })).toEqual({ created: false, events: [] });
  expect(await findToken(db, token.mintAddress)).toMatchObject({
    name: 'Renamed',
    description: 'first',
    imageUrl: null,
    links: { telegram: 'https://t.me/launchwire', twitter: null, website: null },
  });
});

test('whether predictions are enabled is fixed once it was reported', async () => {
  const enabled = async (mint: string) =>
    (await db`select predictions_enabled from tokens where mint_address = ${mint}`)[0]?.predictionsEnabled;
  const token = reported();
  await upsert(token);
  await upsert({ ...token, predictionsEnabled: true });
  await upsert({ ...token, predictionsEnabled: false });
  expect(await enabled(token.mintAddress)).toBe(true);
  const other = reported({ predictionsEnabled: false });
  await upsert(other);
  await upsert({ ...other, predictionsEnabled: true });
  expect(await enabled(other.mintAddress)).toBe(false);
});

test('each launch event is sent once, when its fact becomes true; graduation is final', async () => {
  await emptyTables(db, 'webhook_deliveries', 'events');
  const token = reported({ status: 'pending' });
  const mint = token.mintAddress;
  const report = (status: ReportedToken['status']) => upsert({ ...token, status });
  for (const status of ['pending', 'bonding', 'bonding', 'graduating_migration_pending'] as const)
    await report(status);
  const sent = [`launch.created ${mint}`, `token.curve_completed ${mint}`];
  expect(await eventsOf(db)).toEqual(sent);
  for (const status of ['graduated', 'graduated', 'bonding', 'failed'] as const) await report(status);
  expect(await eventsOf(db)).toEqual([...sent, `launch.graduated ${mint}`]);
  expect(await findToken(db, mint)).toMatchObject({ status: 'graduated' });

  const failing = reported({ status: 'pending' });
  await upsert(failing);
  await upsert({ ...failing, status: 'failed' });
  await upsert({ ...failing, status: 'failed' });
  expect((await eventsOf(db)).slice(3)).toEqual([`launch.failed ${failing.mintAddress}`]);
});

test('a hidden token sends no events', async () => {
  await emptyTables(db, 'webhook_deliveries', 'events');
  const token = reported({ status: 'pending' });
  await upsert(token);
  await db.begin((sql) => setTokenHidden(sql, token.mintAddress, true));
  await upsert({ ...token, status: 'bonding' });
  expect(await eventsOf(db)).toEqual([]);
});

test('two upserts of a new token at once make one token and one event', async () => {
  await emptyTables(db, 'webhook_deliveries', 'events');
  const token = reported({ announce: true });
  const outcomes = await Promise.all([1, 2, 3, 4].map(() => upsert(token)));
  expect(outcomes.filter((outcome) => outcome.created)).toHaveLength(1);
  expect(await eventsOf(db)).toEqual([`launch.created ${token.mintAddress}`]);
});

test('pages list every visible token once, newest first, under every filter', async () => {
  await emptyTables(db, 'token_markets', 'tokens');
  const mints: string[] = [];
  for (let at = 0; at < 25; at += 1) {
    const status = at % 2 === 0 ? ('bonding' as const) : ('graduated' as const);
    const token = reported({ status, launchType: at % 5 === 0 ? 'pre_raise' : 'dbc' });
    await upsert(token);
    mints.unshift(token.mintAddress);
  }
  const listed: string[] = [];
  let after: OrdinalPosition | undefined;
  do {
    const page = await listTokens(db, { limit: 7, after });
    listed.push(...page.items.map((token) => token.mintAddress));
    after = page.next ?? undefined;
  } while (after !== undefined);
  expect(listed).toEqual(mints);
  const bonding = await listTokens(db, { limit: 13, status: 'bonding' });
  expect(bonding.items).toHaveLength(13);
  expect(bonding.next).toBeNull();
  const both = await listTokens(db, { limit: 100, status: 'bonding', launchType: 'pre_raise' });
  expect(both.items.map(({ status, launchType }) => `${status} ${launchType}`)).toEqual(
    Array.from({ length: 3 }, () => 'bonding pre_raise'),
  );
});

test('every list is read in index order, without sorting and without a scan of all tokens', async () => {
  await emptyTables(db, 'token_markets', 'tokens');
  await upsert(reported());
  await db`
    insert into tokens (mint_address, creator_wallet, name, symbol, decimals, total_supply, launch_type, status,
      created_at, updated_at)
    select 'mint' || n, creator_wallet, name, symbol, decimals, total_supply,
      case when n % 2 = 0 then 'pre_raise' else 'dbc' end, case when n % 4 < 2 then 'graduated' else 'bonding' end,
      created_at, updated_at
    from tokens, generate_series(1, 20000) n`;
  await db`insert into token_markets (mint_address, as_of) select mint_address, now() from tokens on conflict do nothing`;
  await db`analyze tokens, token_markets`;
  const filters = [``, `and t.status = 'graduated'`, `and t.launch_type = 'pre_raise'`];
  for (const filter of [...filters, `and t.status = 'graduated' and t.launch_type = 'pre_raise'`]) {
    const plan = await db.unsafe(`
      explain select * from tokens t left join token_markets m using (mint_address)
      where not t.hidden and t.ordinal < 9000 ${filter} order by t.ordinal desc limit 51`);
    const text = plan.map((row) => Object.values(row).join()).join('\n');
    expect(text).toMatch(/using tokens_(ordinal|listing)/);
    expect(text).not.toContain('Sort');
    expect(text).not.toContain('Seq Scan');
  }
});

test('a token that is registered live is announced only when asked, then once', async () => {
  await emptyTables(db, 'webhook_deliveries', 'events');
  const token = reported({ status: 'graduated', launchedAt: '2026-01-01T00:00:00.000Z' });
  const mint = token.mintAddress;
  await upsert(token);
  await upsert(token);
  expect(await eventsOf(db)).toEqual([]);
  await upsert({ ...token, announce: true });
  await upsert({ ...token, announce: true });
  expect(await eventsOf(db)).toEqual([`launch.created ${mint}`, `launch.graduated ${mint}`]);
});

test('a fact of the chain is news only when it is not older than the registration', async () => {
  await emptyTables(db, 'webhook_deliveries', 'events');
  const [before, after] = [
    new Date(clock.now().getTime() - 3_600_000),
    new Date(clock.now().getTime() + 1_000),
  ];
  const token = reported({ status: 'pending', poolAddress: Keypair.generate().publicKey.toBase58() });
  const mint = token.mintAddress;
  await upsert(token);
  const context = { db, outbox, clock, rpcs: [], onTokensChanged() {} };
  const show = (stage: CurveStage, at: Date | null) => advanceLaunch(context, mint, { stage, at });
  await show('trading', before);
  expect(await eventsOf(db)).toEqual([]);
  // The account tells no time, the history does: it is told when it is known, and once.
  await show('migrated', null);
  expect(await findToken(db, mint)).toMatchObject({ status: 'graduated', graduatedAt: null });
  await Promise.all([show('completed', after), show('completed', after)]);
  await show('migrated', after);
  await show('trading', before);
  expect(await eventsOf(db)).toEqual([`token.curve_completed ${mint}`, `launch.graduated ${mint}`]);
  expect(await findToken(db, mint)).toMatchObject({
    status: 'graduated',
    launchedAt: before.toISOString(),
    graduatedAt: after.toISOString(),
  });
});

test('facts of a feed count only where the chain has none', async () => {
  const token = reported({ status: 'failed', poolAddress: Keypair.generate().publicKey.toBase58() });
  const mint = token.mintAddress;
  const context = { db, outbox, clock, rpcs: [], onTokensChanged() {} };
  const status = async () => (await findToken(db, mint))?.status;
  await upsert(token);
  await advanceLaunch(context, mint, { stage: 'trading', at: null });
  expect(await status()).toBe('bonding');
  await upsert({ ...token, status: 'graduated' });
  expect(await status()).toBe('bonding');
  await advanceLaunch(context, mint, { stage: 'completed', at: null });
  expect(await status()).toBe('graduating_migration_pending');
  await upsert({ ...token, status: 'graduation_failed' });
  expect(await status()).toBe('graduation_failed');
  await advanceLaunch(context, mint, { stage: 'migrated', at: null });
  expect(await status()).toBe('graduated');
  await upsert({ ...token, status: 'cancelled' });
  expect(await status()).toBe('graduated');
});
