import { expect, test } from 'bun:test';
import { deleteExpiredResponses } from '../../src/db/expired-responses.ts';
import { deleteOldReversals } from '../../src/indexer/store/trade-reversals.ts';
import { insertAccount } from '../support/submitted-intent.ts';
import { openDatabase } from '../support/worker-context.ts';

test('stored responses are deleted when their time is over, in batches, and none before', async () => {
  const db = await openDatabase();
  const accountId = await insertAccount(db);
  const now = new Date('2026-01-02T00:00:00Z');
  await db`
    insert into idempotency_records (account_id, key, fingerprint, response_status, response_headers, response_body,
      sealed, created_at, expires_at)
    select ${accountId}, 'key-' || n, ${Buffer.alloc(32)}, 200, '{}', '', false, ${now},
      ${now}::timestamptz + (n - 10) * interval '1 second'
    from generate_series(1, 20) n`;
  expect(await deleteExpiredResponses(db, now, 8)).toBe(8);
  expect(await deleteExpiredResponses(db, now, 8)).toBe(2);
  expect(await deleteExpiredResponses(db, now, 8)).toBe(0);
  expect(await db`select 1 from idempotency_records`).toHaveLength(10);
});

test('remembered reversals are deleted once the ingest stream cannot hold their trade any more', async () => {
  const db = await openDatabase();
  const now = new Date('2026-01-10T00:00:00Z');
  await db`
    insert into reverted_trades (trade_id, slot, reverted_at)
    select gen_random_uuid(), n, ${now}::timestamptz - n * interval '1 day' from generate_series(1, 10) n`;
  expect(await deleteOldReversals(db, now, 2)).toBe(2);
  expect(await deleteOldReversals(db, now, 10)).toBe(1);
  expect(await db`select 1 from reverted_trades`).toHaveLength(7);
});
