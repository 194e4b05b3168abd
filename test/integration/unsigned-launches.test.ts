import { beforeEach, describe, expect, test } from 'bun:test';
import type { Database } from '../../src/db/client.ts';
import { deleteUnsignedLaunches } from '../../src/features/launches/delete-unsigned-launches.ts';
import { insertLaunchToken } from '../../src/features/tokens/insert-launch.ts';
import { listLaunchToken, settleLaunchToken } from '../../src/features/tokens/settle-launch.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { startTestApi } from '../support/api/api.ts';
import { insertAccount, insertIntent } from '../support/intents/submitted-intent.ts';
import { insertLaunch } from '../support/launches/insert-launch.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { asWorker, openDatabase } from '../support/processes/worker-context.ts';
import { openEventStream, type ReceivedMessage } from '../support/streams/event-stream.ts';

const HOUR_MS = 3_600_000;

describe('an unsigned launch', () => {
  let db: Database;
  let worker: Database;
  let accountId: string;

  beforeEach(async () => {
    db = await openDatabase();
    worker = asWorker(db);
    accountId = await insertAccount(db);
  });

  /** Returns the mint of a launch that expired this long ago. */
  async function expired(hoursAgo: number): Promise<string> {
    const at = new Date(Date.now() - hoursAgo * HOUR_MS);
    const facts = { transaction: Buffer.alloc(10), lastValidBlockHeight: 1n, expiresAt: at, now: at };
    const intentId = await insertIntent(db, accountId, { ...facts, status: 'prepared' });
    const id = await insertLaunch(db, { accountId, intentId });
    const [row] = await db<{ mintAddress: string }[]>`
      update launches set status = 'expired', completed_at = ${at} where id = ${id} returning mint_address`;
    const mint = row?.mintAddress ?? '';
    await db`update tokens set status = 'expired', created_at = ${at} where mint_address = ${mint}`;
    await db`insert into token_markets (mint_address, as_of) values (${mint}, ${at})`;
    // As the counting of holders does for every token.
    await db`
      insert into holder_counting (mint_address, protocol_accounts, next_snapshot_at) values (${mint}, '{}', ${at})`;
    return mint;
  }

  const mints = async (table: 'launches' | 'tokens' | 'token_markets' | 'holder_counting') =>
    (await db<{ mintAddress: string }[]>`select mint_address from ${db(table)}`)
      .map(({ mintAddress }) => mintAddress)
      .toSorted();

  test('is deleted with its token a day after it expired, not earlier; its intent stays', async () => {
    await expired(25);
    const young = await expired(23);
    await expired(26);
    expect(await deleteUnsignedLaunches(worker, new Date(), 1)).toBe(1);
    expect(await deleteUnsignedLaunches(worker, new Date(), 10)).toBe(1);
    expect(await deleteUnsignedLaunches(worker, new Date(), 10)).toBe(0);
    for (const table of ['launches', 'tokens', 'token_markets', 'holder_counting'] as const)
      expect(await mints(table)).toEqual([young]);
    expect(await db`select from transaction_intents`).toHaveLength(3);
  });

  test('stays when other data refers to its mint, and does not keep other launches', async () => {
    const [listed, minted, traded, completed, referenced] = [
      await expired(50),
      await expired(50),
      await expired(50),
      await expired(50),
      await expired(50),
    ];
    await db`update tokens set listed = true where mint_address = ${listed}`;
    await db`update tokens set mint_slot = 7 where mint_address = ${minted}`;
    await db`update tokens set pool_address = ${newAddress()} where mint_address = ${traded}`;
    await db`update tokens set curve_stage = 'completed' where mint_address = ${completed}`;
    await db`insert into staking_sums (mint_address, staked_raw, as_of) values (${referenced}, 0, now())`;
    await expired(30);
    expect(await deleteUnsignedLaunches(worker, new Date(), 1)).toBe(1);
    expect(await deleteUnsignedLaunches(worker, new Date(), 1)).toBe(0);
    const kept = [listed, minted, traded, completed, referenced].toSorted();
    for (const table of ['launches', 'tokens', 'token_markets', 'holder_counting'] as const)
      expect(await mints(table)).toEqual(kept);
  });

  test('is deleted without a scan of any table that refers to tokens', async () => {
    const scanned = await db`
      select conrelid::regclass::text as name from pg_constraint c
      where confrelid = 'tokens'::regclass and contype = 'f' and not exists (
        select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1] and i.indpred is null)`;
    expect([...scanned]).toEqual([]);
  });

  test('is kept for a day, whatever a worker asks for, and whatever its clock shows', async () => {
    const mint = await expired(20);
    const inTwoDays = new Date(Date.now() + 48 * HOUR_MS);
    await expect(deleteUnsignedLaunches(worker, inTwoDays, 1)).rejects.toThrow('kept for a day');
    expect(await mints('tokens')).toEqual([mint]);
  });
});

describe('streams of tokens', () => {
  test('show an unsigned launch only to streams of its mint, and to all streams once it is signed', async () => {
    const api = await startTestApi();
    const { database, outbox } = api.dependencies;
    const now = new Date();
    const texts = { name: 'Wire', symbol: 'WIRE', description: null, imageUrl: null };
    const links = { telegram: null, twitter: null, website: null };
    const [unsigned, signed] = [newAddress(), newAddress()];
    const insert = (mintAddress: string) =>
      database.begin((transaction) =>
        insertLaunchToken(
          transaction,
          { mintAddress, creatorWallet: newAddress(), ...texts, links, decimals: 6, totalSupply: '1' },
          now,
        ),
      );
    const open = (topics: string, cursor?: string) =>
      openEventStream(
        `${api.baseUrl}/stream?topics=${topics}`,
        cursor === undefined ? {} : { 'last-event-id': cursor },
      );
    const told = ({ messages }: { messages: ReceivedMessage[] }) =>
      messages
        .filter(({ event, snapshot }) => event === 'token' && snapshot !== true)
        .map(({ data }) => `${data.mintAddress} ${data.status}`);
    const all = await open('tokens');
    const { id: beginning } = await all.find(({ event }) => event === 'heartbeat');
    await insert(unsigned);
    await insert(signed);
    const one = await open(`token:${unsigned}`);
    await one.find(({ event }) => event === 'heartbeat');

    await database.begin((sql) =>
      settleLaunchToken(sql, outbox, systemClock, unsigned, { status: 'expired' }),
    );
    await one.find(({ event, snapshot }) => event === 'token' && snapshot !== true);
    await database.begin((sql) => listLaunchToken(sql, signed));
    await all.find(({ data }) => data?.mintAddress === signed);
    expect(told(one)).toEqual([`${unsigned} expired`]);
    expect(told(all)).toEqual([`${signed} pending_launch_init`]);
    // Also whoever comes back, on a process that has nothing of it in memory.
    const other = await startTestApi({ database: api.database });
    const back = await openEventStream(`${other.baseUrl}/stream?topics=tokens,token:${signed}`, {
      'last-event-id': beginning ?? '',
    });
    await back.find(({ data }) => data?.mintAddress === signed);
    expect(told(back)).toEqual([`${signed} pending_launch_init`]);
    for (const stream of [all, one, back]) stream.close();
  });
});
