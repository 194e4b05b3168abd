import { beforeEach, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { SignatureWakeUps } from '../../src/chain/streams/signature-wake-ups.ts';
import { AwaitedWatch } from '../../src/intents/confirm/awaited-watch.ts';
import { emptyTables } from '../support/database/empty-tables.ts';
import { unsignedTransfer } from '../support/intents/intent-transactions.ts';
import { insertAccount, insertIntent } from '../support/intents/submitted-intent.ts';
import { intentContext, openDatabase, silentLog } from '../support/processes/worker-context.ts';
import { createTestClock } from '../support/run/clock.ts';

// One statement lists so many; after a full list the next look by time follows at once.
const LIST_MAX = 256;
const db = await openDatabase();
const accountId = await insertAccount(db);
const wallet = Keypair.generate().publicKey;
const clock = createTestClock();
const { context } = intentContext(db, [], clock);
let wakeUps: SignatureWakeUps;
let watch: AwaitedWatch;

beforeEach(async () => {
  await emptyTables(db, 'intent_broadcasts', 'transaction_intents');
  clock.advance(3_600_000);
  const { signal } = new AbortController();
  wakeUps = new SignatureWakeUps({ urls: [], head: () => null, log: silentLog });
  watch = new AwaitedWatch({ context, wakeUps, log: silentLog, signal });
});

/** One that was submitted this long ago, by the clock of whoever took it. */
async function submittedBefore(agoMs: number) {
  const { transaction, isWatched } = signed();
  const now = new Date(clock.now().getTime() - agoMs);
  const facts = { transaction, lastValidBlockHeight: 1n, expiresAt: now, now };
  return { id: await insertIntent(db, accountId, facts), isWatched };
}

/** Many at once. */
async function manyBefore(agoMs: number, count = LIST_MAX) {
  const { id: like } = await submittedBefore(agoMs);
  const all = Array.from({ length: count }, () => ({ id: Bun.randomUUIDv7(), ...signed() }));
  const ids = all.map(({ id }) => id);
  const bytes = all.map(({ transaction }) => Buffer.from(transaction).toString('hex'));
  await db.begin(async (sql) => {
    await sql`
      insert into transaction_intents (id, account_id, kind, status, expected_signer, prepared_transaction,
        signature_offset, signed_transaction, last_valid_block_height, policy, version, expires_at, created_at, submitted_at)
      select n.id, account_id, kind, status, expected_signer, prepared_transaction,
        signature_offset, decode(n.bytes, 'hex'), last_valid_block_height, policy, version, expires_at, created_at, submitted_at
      from unnest(${ids}::uuid[], ${bytes}::text[]) n (id, bytes), transaction_intents where transaction_intents.id = ${like}`;
    await sql`update intent_broadcasts set intent_id = ${ids[0] ?? ''} where intent_id = ${like}`;
    await sql`delete from transaction_intents where id = ${like}`;
    await sql`
      insert into intent_broadcasts (intent_id, next_send_at, created_at)
      select id, submitted_at, submitted_at from transaction_intents where id = any(${ids.slice(1)}::uuid[])`;
  });
  return all;
}

function signed() {
  const transaction = unsignedTransfer(wallet);
  // Nobody here verifies signatures.
  transaction.set(randomBytes(64), 1);
  const signature = bs58.encode(transaction.subarray(1, 65));
  return { transaction, isWatched: () => wakeUps.wanted.has(signature) };
}

test('intents submitted in the last half minute are found without a hint, and older ones are left to polls', async () => {
  const [fresh, old] = [await submittedBefore(29_999), await submittedBefore(30_001)];
  expect(await watch.refresh()).toBe(false);
  expect([fresh.isWatched(), old.isWatched()]).toEqual([true, false]);
});

test('a full list is followed by the next, which overlaps with it: a commit may become visible late', async () => {
  const first = await manyBefore(10_000);
  expect(await watch.refresh()).toBe(true);
  expect(first.every(({ isWatched }) => isWatched())).toBe(true);
  const [late, tooLate] = [await submittedBefore(11_999), await submittedBefore(12_001)];
  expect(await watch.refresh()).toBe(false);
  expect([late.isWatched(), tooLate.isWatched()]).toEqual([true, false]);
});

test('an intent from an api whose clock is ahead hides no later ones', async () => {
  await manyBefore(-60_000);
  expect(await watch.refresh()).toBe(true);
  const next = await submittedBefore(0);
  expect(await watch.refresh()).toBe(false);
  expect(next.isWatched()).toBe(true);
});

test('a listed intent is not listed again, and is remembered only while a list may hold it', async () => {
  const [first] = await manyBefore(10_000);
  await watch.refresh();
  const [second] = await manyBefore(5_000);
  expect(await watch.refresh()).toBe(true);
  expect(await watch.refresh()).toBe(false);
  const ids = [first, second].map((one) => one?.id ?? '');
  expect(ids.map((id) => watch.onChanged([id]))).toEqual([true, true]);
  expect(await watch.refresh()).toBe(false);
});

test('a look by time takes the hints of what it lists, and leaves the others for the next', async () => {
  const fresh = await submittedBefore(0);
  expect(watch.onChanged([fresh.id])).toBe(true);
  expect(await watch.refresh()).toBe(false);
  expect(fresh.isWatched()).toBe(true);

  const again = new AwaitedWatch({ context, wakeUps, log: silentLog, signal: new AbortController().signal });
  const old = await submittedBefore(60_000);
  expect(again.onChanged([old.id])).toBe(true);
  expect(await again.refresh()).toBe(true);
  expect(old.isWatched()).toBe(false);
  while (await again.refresh());
  expect(old.isWatched()).toBe(true);
});

test('hints that name more than one list are listed one after the other', async () => {
  // Made first: two seconds after its first look the watch looks by time again, and forgets what is old.
  const old = await manyBefore(60_000, LIST_MAX + 1);
  expect(await watch.refresh()).toBe(false);
  expect(watch.onChanged(old.map(({ id }) => id))).toBe(true);
  while (await watch.refresh());
  expect(old.every(({ isWatched }) => isWatched())).toBe(true);
  // All hints are used up, including one that names no intent.
  expect(watch.onChanged(old.map(({ id }) => id))).toBe(false);
  expect(watch.onChanged([crypto.randomUUID()])).toBe(true);
  expect(await watch.refresh()).toBe(false);
  expect(watch.onChanged([])).toBe(false);
});
