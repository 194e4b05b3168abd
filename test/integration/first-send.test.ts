import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import { JUP_LOCK } from '../../src/chain/accounts/programs.ts';
import { createChainRpcs } from '../../src/chain/rpc.ts';
import type { Database } from '../../src/db/client.ts';
import { endIntents } from '../../src/intents/end/end-intents.ts';
import { type BroadcastContext, broadcastDue } from '../../src/intents/send/broadcast-due.ts';
import { type AcceptedSend, recordSends } from '../../src/intents/send/record-sends.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { startApiProcess } from '../support/api/api-process.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { holdLocks } from '../support/database/held-locks.ts';
import { createPreparedIntent, type PrepareOptions, signWith } from '../support/intents/intents.ts';
import { signatureOf, startSendingNode } from '../support/intents/sending-node.ts';
import { submitIntent } from '../support/intents/submit-intent.ts';
import { intentContext } from '../support/processes/worker-context.ts';
import { createTestClock } from '../support/run/clock.ts';
import { eventually } from '../support/run/eventually.ts';
import { startTraceReceiver } from '../support/telemetry/trace-receiver.ts';

/** Ten slots at the pace of mainnet. */
const RESEND_MS = 2_000;
const node = startSendingNode();
const second = startSendingNode();
const wallet = Keypair.generate();
let database: TestDatabase;
let api: TestApi;
let key: TestKey;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ database, environment: { SOLANA_RPC_URL: `${node.url},${second.url}` } });
  db = api.dependencies.database;
  key = await createTestKey(db, { walletAddress: wallet.publicKey.toBase58() });
});

beforeEach(async () => {
  await api.dependencies.firstBroadcaster.drain();
  await db`delete from intent_broadcasts`;
  for (const each of [node, second]) Object.assign(each, { answer: 'accept', sent: [], headers: [] });
});

interface Signed {
  id: string;
  /** base64 of the signed bytes. */
  wire: string;
}

async function prepared(options: Partial<PrepareOptions> = {}): Promise<Signed> {
  const { id, unsigned } = await createPreparedIntent(db, { accountId: key.accountId, wallet, ...options });
  return { id, wire: Buffer.from(signWith(unsigned, wallet)).toString('base64') };
}

function submit({ id, wire }: Signed, baseUrl = api.baseUrl, idempotencyKey?: string) {
  return submitIntent(baseUrl, id, { key, signed: wire, idempotencyKey });
}

async function submitted(options: Partial<PrepareOptions> = {}): Promise<Signed> {
  const signed = await prepared(options);
  expect((await submit(signed)).status).toBe(202);
  return signed;
}

/** The stored intent: its signature, and when the job is due after the submission. */
async function stored({ id }: Signed) {
  const [row] = await db<
    {
      status: string;
      signature: string | null;
      dueMs: number;
      sendCount: number;
      misanswered: boolean;
      submittedAt: Date;
    }[]
  >`
    select i.status, i.transaction_signature as signature, b.send_count, b.misanswered, i.submitted_at,
      (extract(epoch from b.next_send_at - i.submitted_at) * 1000)::float8 as due_ms
    from transaction_intents i join intent_broadcasts b on b.intent_id = i.id where i.id = ${id}`;
  if (row === undefined) throw new Error('no job');
  return row;
}

/** Waits until a node's acceptance of it is stored. */
function recorded(signed: Signed) {
  return eventually('the record', async () => {
    const row = await stored(signed);
    return row.signature !== null && row;
  });
}

/** A worker at a time after the submission; how many transactions of it are due and are sent. */
async function workAt(signed: Signed, sinceMs: number, observation: Pick<BroadcastContext, 'onSend'> = {}) {
  const { submittedAt } = await stored(signed);
  const clock = createTestClock(new Date(submittedAt.getTime() + sinceMs));
  const { context } = intentContext(db, createChainRpcs([node.url]), clock);
  const { due, sent } = await broadcastDue({ ...context, ...observation }, 64);
  await sent;
  return due;
}

describe('in the ordinary case', () => {
  test('the api sends to every node, and the worker has nothing to do before the next resend', async () => {
    const signed = await submitted();
    const row = await recorded(signed);
    expect(row).toMatchObject({ status: 'submitted', signature: signatureOf(signed.wire), sendCount: 1 });
    await eventually('both nodes', async () => node.sent.length === 1 && second.sent.length === 1);
    expect([node.sent, second.sent]).toEqual([[signed.wire], [signed.wire]]);
    expect(row.dueMs).toBeGreaterThanOrEqual(RESEND_MS);
    expect(await workAt(signed, RESEND_MS - 1)).toBe(0);
    expect(await workAt(signed, row.dueMs)).toBe(1);
    expect(node.sent).toEqual([signed.wire, signed.wire]);
  });

  test('a replay, a refused key and a second key send nothing', async () => {
    const signed = await prepared();
    const responses = await Promise.all(
      ['first-key-0001', 'first-key-0001', 'other-key-0001'].map((name) => submit(signed, api.baseUrl, name)),
    );
    expect(responses.filter(({ status }) => status === 202).length).toBeGreaterThanOrEqual(1);
    await recorded(signed);
    await submit(signed, api.baseUrl, 'first-key-0001');
    await submit(signed, api.baseUrl, 'other-key-0001');
    await api.dependencies.firstBroadcaster.drain();
    expect(node.sent).toEqual([signed.wire]);
  });

  test('two apis that get the same submission send it once', async () => {
    const other = await startTestApi({ database, environment: { SOLANA_RPC_URL: node.url } });
    const signed = await prepared();
    const responses = await Promise.all([submit(signed), submit(signed, other.baseUrl)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([202, 409]);
    await Promise.all([api, other].map(({ dependencies }) => dependencies.firstBroadcaster.drain()));
    expect(node.sent).toEqual([signed.wire]);
    await other.stop();
  });

  test('the submission of several statements is sent as well', async () => {
    const idempotencyKey = 'over-key-0001';
    await submit(await prepared(), api.baseUrl, idempotencyKey);
    // A record that is over and not yet cleaned up is replaced in a transaction.
    await db`
      update idempotency_records set created_at = created_at - interval '2 days', expires_at = now() - interval '1 day'
      where key = ${idempotencyKey}`;
    const signed = await prepared();
    expect((await submit(signed, api.baseUrl, idempotencyKey)).status).toBe(202);
    expect(await recorded(signed)).toMatchObject({ sendCount: 1 });
    expect(node.sent).toContain(signed.wire);
  });

  test('the send is a span of the request’s trace', async () => {
    const traces = await startTraceReceiver();
    const traced = await startTestApi({
      database,
      environment: {
        SOLANA_RPC_URL: node.url,
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${traces.receiver.port}`,
      },
    });
    const signed = await prepared();
    const response = await submit(signed, traced.baseUrl);
    await recorded(signed);
    await traced.stop();
    const [, traceId = '', parentSpanId] = response.headers.get('traceparent')?.split('-') ?? [];
    const spans = await traces.trace(traceId, ['broadcast intent']);
    expect(spans.find(({ name }) => name === 'broadcast intent')).toMatchObject({
      service: 'launchwire-api',
      parentSpanId,
      failed: false,
      attributes: { 'launchwire.intent.id': signed.id, 'launchwire.broadcast.first': true },
    });
  });
});

describe('when the api dies', () => {
  test('between the commit and the send: the worker sends when the job falls due, and not before', async () => {
    const dying = await startTestApi({
      database,
      environment: { SOLANA_RPC_URL: node.url },
      adjust(dependencies) {
        dependencies.firstBroadcaster.send = () => {};
      },
    });
    const signed = await prepared();
    expect((await submit(signed, dying.baseUrl)).status).toBe(202);
    await dying.stop();
    expect(await workAt(signed, RESEND_MS - 1)).toBe(0);
    expect(node.sent).toEqual([]);
    expect(await workAt(signed, RESEND_MS)).toBe(1);
    expect(node.sent).toEqual([signed.wire]);
    expect(await stored(signed)).toMatchObject({ signature: signatureOf(signed.wire) });
  });

  test('between the send and its record: it counts as sent, and the worker repeats it', async () => {
    node.answer = 'hold';
    const { baseUrl, child } = await startApiProcess(database.url, { SOLANA_RPC_URL: node.url });
    const signed = await prepared();
    expect((await submit(signed, baseUrl)).status).toBe(202);
    await eventually('the send', async () => node.sent.length === 1);
    await child.kill();
    expect(await stored(signed)).toMatchObject({ signature: null, sendCount: 1, dueMs: RESEND_MS });
    // No node can be asked: what may be on its way is not given up.
    const { context } = intentContext(db, [], createTestClock());
    const onlyIfUnsent = { status: 'failed', errorCode: 'transaction_intent_broadcast_exhausted' } as const;
    const end = {
      intentId: signed.id,
      ...onlyIfUnsent,
      transactionSignature: null,
      onlyIfUnsent: true,
    } as const;
    expect(await endIntents(context, [end])).toBe(0);
    node.answer = 'accept';
    expect(await workAt(signed, RESEND_MS)).toBe(1);
    expect(node.sent).toEqual([signed.wire, signed.wire]);
  });
});

test('the first send of a worker counts as taken over, and neither a resend nor one of what the api has recorded does', async () => {
  const dying = await startTestApi({
    database,
    environment: { SOLANA_RPC_URL: node.url },
    adjust(dependencies) {
      dependencies.firstBroadcaster.send = () => {};
    },
  });
  const counts: (number | null)[] = [];
  const onSend = (sinceSubmissionMs: number | null) => void counts.push(sinceSubmissionMs);
  const left = await prepared();
  expect((await submit(left, dying.baseUrl)).status).toBe(202);
  await dying.stop();
  node.answer = 'refuse';
  await workAt(left, RESEND_MS, { onSend });
  await workAt(left, 2 * RESEND_MS, { onSend });
  expect(counts.splice(0)).toEqual([RESEND_MS, null]);
  await db`delete from intent_broadcasts`;
  node.answer = 'accept';
  const taken = await submitted();
  await recorded(taken);
  await workAt(taken, RESEND_MS, { onSend });
  expect(counts).toEqual([null]);
});

describe('when no node takes it', () => {
  test('the worker repeats it at once', async () => {
    node.answer = 'refuse';
    second.answer = 'refuse';
    const signed = await submitted();
    await api.dependencies.firstBroadcaster.drain();
    expect(await stored(signed)).toMatchObject({ signature: null, sendCount: 1 });
    node.answer = 'accept';
    const { submittedAt, dueMs } = await stored(signed);
    // biome-ignore lint/plugin: however slow the machine is, it is due by now
    expect(submittedAt.getTime() + dueMs).toBeLessThanOrEqual(Date.now());
    expect(await workAt(signed, dueMs)).toBe(1);
    expect(node.sent).toEqual([signed.wire, signed.wire]);
  });

  test('a transaction that reached no node counts as never sent', async () => {
    const alone = await startTestApi({ database, environment: { SOLANA_RPC_URL: 'http://127.0.0.1:9' } });
    const signed = await prepared();
    expect((await submit(signed, alone.baseUrl)).status).toBe(202);
    await alone.stop();
    expect(await stored(signed)).toMatchObject({ signature: null, sendCount: 0 });
  });

  test('a response that does not mention the transaction counts as sent, because a proxy may have passed it on', async () => {
    node.answer = 'unavailable';
    second.answer = 'unavailable';
    const signed = await submitted();
    await api.dependencies.firstBroadcaster.drain();
    expect(await stored(signed)).toMatchObject({ signature: null, sendCount: 1 });
  });

  test('another transaction’s signature is remembered', async () => {
    const lying = startSendingNode('other signature');
    const misled = await startTestApi({ database, environment: { SOLANA_RPC_URL: lying.url } });
    const signed = await prepared();
    expect((await submit(signed, misled.baseUrl)).status).toBe(202);
    await misled.stop();
    expect(await stored(signed)).toMatchObject({ signature: null, sendCount: 1, misanswered: true });
  });

  test('one that takes it is enough, and the lie of another is remembered too', async () => {
    const lying = startSendingNode('other signature');
    const half = await startTestApi({
      database,
      environment: { SOLANA_RPC_URL: `${lying.url},${node.url}` },
    });
    const signed = await prepared();
    expect((await submit(signed, half.baseUrl)).status).toBe(202);
    await half.stop();
    const row = await stored(signed);
    expect(row).toMatchObject({ signature: signatureOf(signed.wire), misanswered: true });
    expect(row.dueMs).toBeGreaterThanOrEqual(RESEND_MS);
  });
});

test('a transaction that breaks its policy is not sent, and the worker ends it', async () => {
  const signed = await prepared();
  const policy = { allowedPrograms: [JUP_LOCK], maxComputeUnitPrice: null, requireSimulation: false };
  await db`update transaction_intents set policy = ${db.json(policy)} where id = ${signed.id}`;
  expect((await submit(signed)).status).toBe(202);
  await api.dependencies.firstBroadcaster.drain();
  expect(node.sent).toEqual([]);
  await workAt(signed, RESEND_MS);
  expect(node.sent).toEqual([]);
  const [row] = await db`select status, error_code from transaction_intents where id = ${signed.id}`;
  expect(row).toEqual({ status: 'failed', errorCode: 'transaction_intent_invalid_state' });
});

test('a node that hangs keeps neither the record nor other nodes waiting, however many it holds', async () => {
  node.answer = 'hold';
  // More than may be in flight to one address.
  const all = await Promise.all(Array.from({ length: 120 }, () => prepared()));
  await Promise.all(all.map((signed) => submit(signed)));
  await Promise.all(all.map(recorded));
  expect(second.sent.toSorted()).toEqual(all.map(({ wire }) => wire).toSorted());
  expect(node.sent.length).toBeLessThan(all.length);
  node.answer = 'accept';
  node.release();
  await api.dependencies.firstBroadcaster.drain();
  expect(api.dependencies.firstBroadcaster.outstanding).toBe(0);
});

test('the shutdown waits for open sends and for their record', async () => {
  const leaving = await startTestApi({ database, environment: { SOLANA_RPC_URL: node.url } });
  node.answer = 'hold';
  const signed = await prepared();
  expect((await submit(signed, leaving.baseUrl)).status).toBe(202);
  await eventually('the send', async () => node.sent.length === 1);
  expect(leaving.dependencies.firstBroadcaster.outstanding).toBe(1);
  let isStopped = false;
  const stopped = leaving.stop().then(() => {
    isStopped = true;
  });
  await eventually('the port is closed', () =>
    fetch(leaving.origin).then(
      () => false,
      () => true,
    ),
  );
  expect(isStopped).toBe(false);
  node.release();
  await stopped;
  expect(await stored(signed)).toMatchObject({ signature: signatureOf(signed.wire) });
});

describe('the record', () => {
  const recordAccepted = (accepted: readonly AcceptedSend[]) =>
    recordSends(api.dependencies.database, { answered: [], accepted });

  test('changes no intent that a worker has recorded or ended meanwhile', async () => {
    node.answer = 'refuse';
    second.answer = 'refuse';
    const [claimed, ended] = [await submitted(), await submitted()];
    await api.dependencies.firstBroadcaster.drain();
    node.answer = 'accept';
    expect(await workAt(claimed, RESEND_MS)).toBeGreaterThanOrEqual(1);
    const before = await stored(claimed);
    const { context } = intentContext(db, [], createTestClock());
    const transactionSignature = signatureOf(ended.wire);
    await endIntents(context, [{ intentId: ended.id, status: 'confirmed', transactionSignature, slot: 1n }]);
    await recordAccepted([claimed, ended].map(({ id }) => ({ intentId: id, signature: 'late' })));
    expect(await stored(claimed)).toEqual(before);
    const [row] =
      await db`select status, transaction_signature from transaction_intents where id = ${ended.id}`;
    expect(row).toEqual({ status: 'confirmed', transactionSignature });
  });

  test('waits for a worker that is about to end the intent, and then changes nothing', async () => {
    node.answer = 'refuse';
    second.answer = 'refuse';
    const signed = await submitted();
    await api.dependencies.firstBroadcaster.drain();
    const ending = await holdLocks(
      db,
      (transaction) => transaction`
        update transaction_intents set status = 'failed', error_code = 'transaction_intent_broadcast_exhausted',
          error_detail = '', completed_at = now() where id = ${signed.id}`,
    );
    const recording = recordAccepted([{ intentId: signed.id, signature: 'late' }]);
    await ending.untilBlocked('the record waits');
    await ending.commit();
    await recording;
    expect(await stored(signed)).toMatchObject({ status: 'failed', signature: null });
  });

  test('never moves a later due time back', async () => {
    node.answer = 'refuse';
    second.answer = 'refuse';
    const signed = await submitted();
    await api.dependencies.firstBroadcaster.drain();
    await db`update intent_broadcasts set next_send_at = created_at + interval '1 hour' where intent_id = ${signed.id}`;
    await recordAccepted([{ intentId: signed.id, signature: 'taken' }]);
    expect(await stored(signed)).toMatchObject({ signature: 'taken', dueMs: 3_600_000 });
  });

  test('of many neither waits for ever on a worker that ends them, nor the other way round', async () => {
    node.answer = 'refuse';
    second.answer = 'refuse';
    const all = await Promise.all(Array.from({ length: 40 }, () => submitted()));
    await api.dependencies.firstBroadcaster.drain();
    const { context } = intentContext(db, [], createTestClock());
    const sends = all.map(({ id, wire }) => ({ intentId: id, signature: signatureOf(wire) }));
    const ends = sends.map(({ intentId, signature: transactionSignature }) => ({
      intentId,
      status: 'confirmed' as const,
      transactionSignature,
      slot: 1n,
    }));
    await Promise.all([
      recordAccepted(sends),
      endIntents(context, ends.toReversed()),
      recordAccepted(sends.toReversed()),
      broadcastDue(context, 64).then(({ sent }) => sent),
    ]);
    const ids = all.map(({ id }) => id);
    const rows = await db`select distinct status from transaction_intents where id = any(${ids}::uuid[])`;
    expect(rows.map(({ status }) => status)).toEqual(['confirmed']);
  });
});
