import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import { createSendOnlyTargets } from '../../src/chain/rpc/send-target.ts';
import { createChainRpcs } from '../../src/chain/rpc.ts';
import type { Database } from '../../src/db/client.ts';
import { broadcastDue } from '../../src/intents/send/broadcast-due.ts';
import { drawHeldOut } from '../../src/intents/send/hold-out.ts';
import { type IntentSend, recordSends } from '../../src/intents/send/record-sends.ts';
import { SendRecorder } from '../../src/intents/send/send-recorder.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { daysAgo, keepAsWorker, partitionsOf } from '../support/database/partitions.ts';
import { recordingDatabase } from '../support/database/query-plans.ts';
import { createPreparedIntent, signWith } from '../support/intents/intents.ts';
import { startSendingNode } from '../support/intents/sending-node.ts';
import { submitIntent } from '../support/intents/submit-intent.ts';
import { asWorker, intentContext, silentLog } from '../support/processes/worker-context.ts';
import { createTestClock } from '../support/run/clock.ts';

const HOLD_OUT_PERCENT = 50;
const node = startSendingNode();
const fast = startSendingNode();
const other = startSendingNode();
const stages = [node, fast, other];
const wallet = Keypair.generate();
let database: TestDatabase;
let api: TestApi;
let db: Database;
let key: TestKey;

/** The names of the addresses, as the records have them. */
const nameOf = ({ url }: { url: string }) => new URL(url).host;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({
    database,
    environment: {
      SOLANA_RPC_URL: node.url,
      SOLANA_SEND_URL: `${fast.url},${other.url}`,
      SEND_HOLDOUT_PERCENT: String(HOLD_OUT_PERCENT),
    },
  });
  db = api.dependencies.database;
  key = await createTestKey(db, { walletAddress: wallet.publicKey.toBase58() });
});

beforeEach(async () => {
  await api.dependencies.firstBroadcaster.drain();
  await db`delete from intent_broadcasts`;
  for (const each of stages) Object.assign(each, { answer: 'accept', sent: [], headers: [] });
});

/** Prepares until the draw of the new intent is as wanted. */
async function prepared(isWanted: (heldOut: string | null) => boolean) {
  for (;;) {
    const intent = await createPreparedIntent(db, { accountId: key.accountId, wallet });
    if (isWanted(heldOutOf(intent.id))) return intent;
  }
}

function heldOutOf(intentId: string): string | null {
  const addresses = stages.map((stage) => ({ name: nameOf(stage), isSendOnly: stage !== node }));
  return drawHeldOut(intentId, addresses, HOLD_OUT_PERCENT)?.name ?? null;
}

async function submitted(isWanted: (heldOut: string | null) => boolean = (name) => name === null) {
  const { id, unsigned } = await prepared(isWanted);
  expect((await submitIntent(api.baseUrl, id, { key, signed: signWith(unsigned, wallet) })).status).toBe(202);
  await api.dependencies.firstBroadcaster.drain();
  return id;
}

/** A worker of the same configuration, when everything submitted is due; ends when all is recorded. */
async function repeat(afterMs = 60_000, sendUrls = [fast.url, other.url]) {
  const clock = createTestClock(new Date(Date.now() + afterMs));
  const { context } = intentContext(db, createChainRpcs([node.url], 2), clock);
  const solanaSendAddresses = sendUrls.map((url) => ({ name: nameOf({ url }), url, isProtected: false }));
  const sendOnly = createSendOnlyTargets({ solanaSendAddresses, solanaSendHeaders: {} }, 1);
  const { sent } = await broadcastDue({ ...context, sendOnly, holdOutPercent: HOLD_OUT_PERCENT }, 64);
  await sent;
}

interface Row {
  target: string;
  firstSentAt: Date | null;
  lastSentAt: Date | null;
  firstSlot: bigint | null;
  sendCount: number;
  takenCount: number;
  answer: string | null;
  reason: string | null;
}

async function recordOf(intentId: string): Promise<Map<string, Row>> {
  const rows = await db<Row[]>`
    select target, first_sent_at, last_sent_at, first_slot, send_count, taken_count, answer, reason
    from intent_sends where intent_id = ${intentId}`;
  return new Map(rows.map((row) => [row.target, row]));
}

describe('each address of a submission has its record', () => {
  test('of the api’s send and of the worker’s resends together', async () => {
    other.answer = 'refuse';
    const before = Date.now();
    const id = await submitted();
    const first = await recordOf(id);
    expect([...first.keys()].sort()).toEqual(stages.map(nameOf).sort());
    expect(first.get(nameOf(node))).toMatchObject({
      sendCount: 1,
      takenCount: 1,
      answer: 'accepted',
      reason: null,
    });
    expect(first.get(nameOf(other))).toMatchObject({
      sendCount: 1,
      takenCount: 0,
      answer: 'refused',
      reason: 'invalid_signature',
    });
    const { firstSentAt, lastSentAt } = first.get(nameOf(node)) ?? expect.unreachable();
    expect(firstSentAt?.getTime()).toBeGreaterThanOrEqual(before - 1);
    expect(lastSentAt).toEqual(firstSentAt);

    other.answer = 'accept';
    fast.answer = 'unavailable';
    await repeat();
    const second = await recordOf(id);
    expect(second.get(nameOf(other))).toMatchObject({
      firstSentAt,
      sendCount: 2,
      takenCount: 1,
      answer: 'accepted',
      reason: null,
    });
    expect(second.get(nameOf(fast))).toMatchObject({
      firstSentAt,
      sendCount: 2,
      takenCount: 1,
      answer: 'unknown',
      reason: 'rate_limited',
    });
    expect(second.get(nameOf(node))?.lastSentAt?.getTime()).toBeGreaterThan(before + 50_000);
  });

  test('one that was sent to and does not respond, once its time is over', async () => {
    other.answer = 'hold';
    const id = await submitted();
    expect((await recordOf(id)).get(nameOf(other))).toMatchObject({
      sendCount: 1,
      takenCount: 0,
      answer: 'unknown',
      reason: 'no_response',
    });
    other.release();
  });

  test('one that cannot be reached', async () => {
    const id = await submitted();
    const gone = { url: 'http://127.0.0.1:9' };
    await repeat(60_000, [gone.url]);
    expect((await recordOf(id)).get(nameOf(gone))).toMatchObject({
      sendCount: 1,
      takenCount: 0,
      answer: 'unavailable',
      reason: null,
    });
  });
});

describe('a held-out address', () => {
  test('gets neither the first send nor a resend, and its record says so', async () => {
    const id = await submitted((name) => name === nameOf(fast));
    await repeat();
    expect(fast.sent).toEqual([]);
    expect([node.sent.length, other.sent.length]).toEqual([2, 2]);
    const record = await recordOf(id);
    expect(record.get(nameOf(fast))).toEqual({
      target: nameOf(fast),
      firstSentAt: null,
      lastSentAt: null,
      firstSlot: null,
      sendCount: 0,
      takenCount: 0,
      answer: null,
      reason: null,
    });
    expect(record.get(nameOf(node))).toMatchObject({ sendCount: 2 });
  });

  test('is recorded as sent to once a process without the draw has sent to it', async () => {
    const id = await submitted((name) => name === nameOf(fast));
    const sentAt = new Date();
    const answers = [{ target: nameOf(fast), result: 'accepted' as const, reason: null }];
    await recordAnswered(db, [{ intentId: id, sentAt, slot: 7n, answers, heldOut: null }]);
    expect((await recordOf(id)).get(nameOf(fast))).toMatchObject({
      firstSentAt: sentAt,
      firstSlot: 7n,
      sendCount: 1,
      answer: 'accepted',
    });
  });
});

function recordAnswered(database: Database, answered: readonly IntentSend[]): Promise<void> {
  return recordSends(database, { answered, accepted: [] });
}

/** A send of one address. */
function sendOf(intentId: string, atMs: number, more: Partial<IntentSend> = {}): IntentSend {
  const answers = [{ target: 'a', result: 'accepted' as const, reason: null }];
  return { intentId, sentAt: new Date(atMs), slot: BigInt(atMs), answers, heldOut: null, ...more };
}

describe('records of the same sends', () => {
  test('add up in any order: the first time, slot and the latest answer are those of the sends', async () => {
    const refused = [{ target: 'a', result: 'refused' as const, reason: 'other' as const }];
    const sends = [1_000, 2_000, 3_000];
    for (const order of [sends, [...sends].reverse(), [2_000, 3_000, 1_000]]) {
      const id = Bun.randomUUIDv7();
      for (const at of order)
        await recordAnswered(db, [sendOf(id, at, at === 3_000 ? { answers: refused } : {})]);
      expect([...(await recordOf(id)).values()]).toEqual([
        {
          target: 'a',
          firstSentAt: new Date(1_000),
          lastSentAt: new Date(3_000),
          firstSlot: 1_000n,
          sendCount: 3,
          takenCount: 2,
          answer: 'refused',
          reason: 'other',
        },
      ]);
    }
  });

  test('of two processes at once lose no send and do not deadlock', async () => {
    const ids = Array.from({ length: 200 }, () => Bun.randomUUIDv7());
    const answers = ['a', 'b', 'c'].map((target) => ({ target, result: 'accepted' as const, reason: null }));
    const worker = asWorker(db);
    const write = (database: Database, order: readonly string[], at: number) =>
      recordAnswered(
        database,
        order.map((id) => sendOf(id, at, { answers })),
      );
    await Promise.all([write(db, ids, 1), write(worker, [...ids].reverse(), 2), write(db, ids, 3)]);
    const rows = await db<{ sendCount: number }[]>`
      select send_count from intent_sends where intent_id = any(${ids})`;
    expect(rows.map(({ sendCount }) => sendCount)).toEqual(Array(600).fill(3));
  });

  test('of one intent in one batch are written one after the other', async () => {
    const id = Bun.randomUUIDv7();
    const recorder = new SendRecorder({
      database: db,
      clock: createTestClock(),
      log: silentLog,
      chainHead: { current: () => null },
    });
    await Promise.all([1, 2, 3].map((at) => recorder.record(sendOf(id, at))));
    expect((await recordOf(id)).get('a')).toMatchObject({ sendCount: 3 });
  });

  test('of many are written by one statement, with the ids of those that a node has taken', async () => {
    const { db: recording, sent } = recordingDatabase(database.url);
    const recorder = new SendRecorder({
      database: recording,
      clock: createTestClock(),
      log: silentLog,
      chainHead: { current: () => null },
    });
    const ids = await Promise.all([submitted(), submitted(), submitted()]);
    await db`update transaction_intents set transaction_signature = null where id = any(${ids})`;
    sent.splice(0);
    const records = ids.flatMap((id) => [
      recorder.recordAccepted({ intentId: id, signature: `of ${id}` }),
      recorder.record(sendOf(id, 1)),
    ]);
    recorder.flush();
    await Promise.all(records);
    expect(sent.filter(({ text }) => text.includes('intent_sends'))).toHaveLength(1);
    const rows = await db<{ id: string; transactionSignature: string }[]>`
      select id, transaction_signature from transaction_intents where id = any(${ids})`;
    expect(rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    for (const { id, transactionSignature } of rows) {
      expect(transactionSignature).toBe(`of ${id}`);
      expect((await recordOf(id)).get('a')).toMatchObject({ sendCount: 1 });
    }
  });

  test('that cannot be written fail no send, and a resend stores the id of the transaction', async () => {
    await db.unsafe('alter table intent_sends rename to intent_sends_away');
    try {
      const id = await submitted();
      expect(node.sent).toHaveLength(1);
      await repeat();
      expect(node.sent).toHaveLength(2);
      const [row] = await db`select transaction_signature from transaction_intents where id = ${id}`;
      expect(row?.transactionSignature).toBeString();
    } finally {
      await db.unsafe('alter table intent_sends_away rename to intent_sends');
    }
  });
});

describe('an expired week of sends', () => {
  const oldId = () => Bun.randomUUIDv7('hex', daysAgo(60).getTime());

  test('leaves whole, unless it is kept longer', async () => {
    const id = oldId();
    await recordAnswered(db, [sendOf(id, 1)]);
    await keepAsWorker(db, { keptDays: { sends: 90 } });
    expect((await recordOf(id)).size).toBe(1);
    const [, ...younger] = await partitionsOf(db, 'intent_sends');
    expect(younger.length).toBeGreaterThanOrEqual(4);
    await keepAsWorker(db);
    expect((await recordOf(id)).size).toBe(0);
    expect(await partitionsOf(db, 'intent_sends')).toEqual(younger);
  });

  test('stays while an intent of it is still being sent', async () => {
    const id = oldId();
    const { id: young } = await createPreparedIntent(db, { accountId: key.accountId, wallet });
    await db`
      insert into transaction_intents (id, account_id, kind, status, expected_signer, prepared_transaction, signature_offset,
        signed_transaction, policy, version, expires_at, created_at, submitted_at)
      select ${id}, account_id, kind, 'submitted', expected_signer, prepared_transaction, signature_offset,
        prepared_transaction, policy, 2, expires_at, ${daysAgo(60)}, ${daysAgo(60)} from transaction_intents where id = ${young}`;
    await db`insert into intent_broadcasts (intent_id, next_send_at, created_at) values (${id}, now(), ${daysAgo(60)})`;
    await recordAnswered(db, [sendOf(id, 1)]);
    await keepAsWorker(db);
    expect((await recordOf(id)).size).toBe(1);
    await db`delete from intent_broadcasts where intent_id = ${id}`;
    await keepAsWorker(db);
    expect((await recordOf(id)).size).toBe(0);
  });
});
