import { beforeAll, beforeEach, expect, test } from 'bun:test';
import fc from 'fast-check';
import { FASTEST_PER_SECOND } from '../../src/chain/pace/chain-pace.ts';
import type { Database } from '../../src/db/client.ts';
import { isWindowClosed } from '../../src/intents/blockhash-window.ts';
import { expireIntents, isIntentOverdue } from '../../src/intents/end/expire-intents.ts';
import { emptyTables } from '../support/database/empty-tables.ts';
import { untilBlockedBy } from '../support/database/held-locks.ts';
import { insertAccount, insertIntent } from '../support/intents/submitted-intent.ts';
import { eventsOf, intentContext, openDatabase } from '../support/processes/worker-context.ts';
import { createTestClock } from '../support/run/clock.ts';

let db: Database;
let accountId: string;
const clock = createTestClock();

beforeAll(async () => {
  db = await openDatabase();
  accountId = await insertAccount(db);
});
beforeEach(async () => {
  await emptyTables(db, 'intent_broadcasts', 'transaction_intents', 'webhook_deliveries', 'events');
});

function prepare(expiresInMs: number, lastValidBlockHeight: bigint | null = null): Promise<string> {
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + expiresInMs);
  const transaction = new Uint8Array(200);
  return insertIntent(db, accountId, {
    status: 'prepared',
    transaction,
    lastValidBlockHeight,
    expiresAt,
    now,
  });
}

async function statusOf(id: string): Promise<string> {
  const [row] =
    await db`select status || ' v' || version as status from transaction_intents where id = ${id}`;
  return row?.status;
}

const expire = (blockHeight: bigint | null = null, limit = 100) =>
  expireIntents(intentContext(db, [], clock).context, blockHeight, limit);

test('a prepared intent expires at its time, not before, with one event', async () => {
  const id = await prepare(1_000);
  clock.advance(999);
  expect(await expire()).toBe(0);
  clock.advance(1);
  expect(await expire()).toBe(1);
  expect(await expire()).toBe(0);
  expect(await statusOf(id)).toBe('expired v2');
  expect(await eventsOf(db)).toEqual([`transaction_intent.expired ${id}`]);
});

test('a prepared intent expires when the block height is above its last valid one', async () => {
  const id = await prepare(60_000, 500n);
  for (const height of [null, 500n]) {
    expect(await isOverdue(height, clock.now())).toBe(false);
    expect(await expire(height)).toBe(0);
  }
  expect(await expire(501n)).toBe(1);
  expect(await statusOf(id)).toBe('expired v2');
});

test('exactly the intents expire whose window is closed at the believed height, by the rule that refuses a submission', async () => {
  const createdAt = clock.now();
  let now = createdAt;
  const { context } = intentContext(db, [], { now: () => now });
  const height = 10_000n;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(90_000),
      fc.uniqueArray(fc.integer({ min: -700, max: 5 }), { maxLength: 20 }),
      async (ageMs, random) => {
        await emptyTables(db, 'intent_broadcasts', 'transaction_intents', 'webhook_deliveries', 'events');
        const farthest = -Math.floor(150 + (ageMs / 1_000) * 5);
        const edges = [1, 0, -1, farthest + 1, farthest, farthest - 1, farthest - 2];
        const windows = [...new Set([...edges, ...random])].map((beside) => height + BigInt(beside));
        now = new Date(createdAt.getTime() + ageMs);
        const facts = { status: 'prepared', transaction: new Uint8Array(200), now: createdAt } as const;
        const expiresAt = new Date(now.getTime() + 1);
        const ids = await Promise.all(
          windows.map((lastValidBlockHeight) =>
            insertIntent(db, accountId, { ...facts, lastValidBlockHeight, expiresAt }),
          ),
        );
        const closed = windows.filter((lastValidBlockHeight) =>
          isWindowClosed({ lastValidBlockHeight, createdAt }, height, now, FASTEST_PER_SECOND),
        );
        expect(await isOverdue(height, now)).toBe(closed.length > 0);
        expect(await expireIntents(context, height, 100)).toBe(closed.length);
        const expired = await db<{ lastValidBlockHeight: bigint }[]>`
        select last_valid_block_height from transaction_intents where status = 'expired' and id = any(${ids}::uuid[])`;
        expect(expired.map((row) => row.lastValidBlockHeight).toSorted()).toEqual(closed.toSorted());
      },
    ),
    { numRuns: 8 },
  );
});

async function isOverdue(height: bigint | null, now: Date): Promise<boolean> {
  const [row] = await db<{ overdue: boolean }[]>`select ${isIntentOverdue(db, now, height)} as overdue`;
  return row?.overdue === true;
}

test('submitted intents are never expired by the clock', async () => {
  const now = clock.now();
  const id = await insertIntent(db, accountId, {
    transaction: new Uint8Array(200),
    lastValidBlockHeight: 1n,
    expiresAt: now,
    now,
  });
  expect(await expire(1_000n)).toBe(0);
  expect(await statusOf(id)).toBe('submitted v2');
});

test('an expiry and a submission at the same moment have exactly one winner', async () => {
  const id = await prepare(0);
  let expired = -1;
  await db.begin(async (submission) => {
    await submission`select 1 from transaction_intents where id = ${id} and status = 'prepared' for update`;
    expired = await expire();
    await submission`
      update transaction_intents set status = 'submitted', version = version + 1, submitted_at = ${clock.now()},
        signed_transaction = prepared_transaction where id = ${id} and status = 'prepared'`;
  });
  expect(expired).toBe(0);
  expect(await expire()).toBe(0);
  expect(await statusOf(id)).toBe('submitted v2');

  const other = await prepare(0);
  expect(await expire()).toBe(1);
  const late =
    await db`update transaction_intents set status = 'submitted' where id = ${other} and status = 'prepared'`;
  expect(late.count).toBe(0);
});

test('an intent that is submitted after the expirer has found it is left', async () => {
  const [first, second] = [await prepare(1_000), await prepare(2_000)];
  clock.advance(3_000);
  let expiring: Promise<number> | undefined;
  await db.begin(async (holder) => {
    // Rows can be read, and none can be locked.
    await holder`lock table transaction_intents in exclusive mode`;
    expiring = expire();
    await untilBlockedBy(holder, 'the expirer waits');
    await holder`
      update transaction_intents set status = 'submitted', version = 2, signed_transaction = prepared_transaction,
        submitted_at = now() where id = ${second}`;
  });
  expect(await expiring).toBe(1);
  expect([await statusOf(first), await statusOf(second)]).toEqual(['expired v2', 'submitted v2']);
});

test('workers are woken only for stored events', async () => {
  await prepare(1_000);
  const { context, hinted } = intentContext(db, [], clock);
  await expireIntents(context, null, 10);
  expect(hinted.events).toBe(0);
  clock.advance(1_000);
  await expireIntents(context, null, 10);
  expect(hinted.events).toBe(1);
});

test('several workers expire a backlog in batches, each intent once', async () => {
  for (let count = 0; count < 50; count += 1) await prepare(0);
  const counts = await Promise.all([1, 2, 3, 4].map(() => expire(null, 20)));
  const rest = await expire();
  expect(counts.reduce((sum, one) => sum + one, rest)).toBe(50);
  expect(new Set(await eventsOf(db)).size).toBe(50);
});

test('finding the few due intents among many costs two index look-ups', async () => {
  const id = await prepare(60_000, 10_000n);
  await db`
    insert into transaction_intents (id, account_id, kind, status, expected_signer, prepared_transaction,
      signature_offset, last_valid_block_height, policy, version, expires_at, created_at)
    select gen_random_uuid(), account_id, kind, status, expected_signer, prepared_transaction, signature_offset,
      10000 + n, policy, version, expires_at + n * interval '1 second', created_at
    from transaction_intents, generate_series(1, 5000) n where id = ${id}`;
  await db`analyze transaction_intents`;
  const plan = await db<{ 'QUERY PLAN': string }[]>`
    explain select id from transaction_intents
    where status = 'prepared' and (expires_at <= ${clock.now()} or last_valid_block_height < ${5n}) limit 100`;
  const text = plan.map((row) => Object.values(row).join()).join('\n');
  expect(text).toContain('transaction_intents_expiry');
  expect(text).toContain('transaction_intents_block_height');
});
