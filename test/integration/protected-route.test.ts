import { beforeAll, beforeEach, expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import { createSendOnlyTargets } from '../../src/chain/rpc/send-target.ts';
import { createChainRpcs } from '../../src/chain/rpc.ts';
import type { Database } from '../../src/db/client.ts';
import { inspectIntent } from '../../src/intents/find-intent.ts';
import { readBroadcastDelay } from '../../src/intents/send/broadcast-delay.ts';
import { broadcastDue } from '../../src/intents/send/broadcast-due.ts';
import { isBroadcastDue } from '../../src/intents/send/claim-broadcasts.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { startApiProcess } from '../support/api/api-process.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { createPreparedIntent, signWith } from '../support/intents/intents.ts';
import { signatureOf, startSendingNode } from '../support/intents/sending-node.ts';
import { submitIntent } from '../support/intents/submit-intent.ts';
import { intentContext } from '../support/processes/worker-context.ts';
import { createTestClock } from '../support/run/clock.ts';
import { eventually } from '../support/run/eventually.ts';

/** Ten slots at the pace of mainnet. */
const RESEND_MS = 2_000;
const node = startSendingNode();
const plain = startSendingNode();
const guard = startSendingNode();
const wallet = Keypair.generate();
const environment = {
  SOLANA_RPC_URL: `node:own=${node.url}`,
  SOLANA_SEND_URL: `plain=${plain.url},guard:protected=${guard.url}`,
};
const addresses = [
  { name: 'plain', url: plain.url, isProtected: false },
  { name: 'guard', url: guard.url, isProtected: true },
];
let database: TestDatabase;
let api: TestApi;
let db: Database;
let key: TestKey;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ database, environment });
  db = api.dependencies.database;
  key = await createTestKey(db, { walletAddress: wallet.publicKey.toBase58() });
});

beforeEach(async () => {
  await api.dependencies.firstBroadcaster.drain();
  await db`delete from intent_broadcasts`;
  for (const each of [node, plain, guard]) Object.assign(each, { answer: 'accept', sent: [], headers: [] });
});

async function prepared(sendRoute: 'fast' | 'protected' = 'protected') {
  const { accountId } = key;
  const { id, unsigned } = await createPreparedIntent(db, { accountId, wallet, sendRoute });
  return { id, wire: Buffer.from(signWith(unsigned, wallet)).toString('base64') };
}

async function submitted(baseUrl = api.baseUrl, sendRoute: 'fast' | 'protected' = 'protected') {
  const signed = await prepared(sendRoute);
  const response = await submitIntent(baseUrl, signed.id, { key, signed: signed.wire });
  expect(response.status).toBe(202);
  expect(await response.json()).toMatchObject({ route: sendRoute, priorityLevel: null });
  return signed;
}

/** A worker at a time after the submission; how many transactions of it are due and are sent. */
async function workAt(id: string, sinceMs: number, sendAddresses = addresses) {
  const [row] = await db<{ submittedAt: Date }[]>`
    select submitted_at from transaction_intents where id = ${id}`;
  const clock = createTestClock(new Date((row?.submittedAt.getTime() ?? 0) + sinceMs));
  const { context } = intentContext(db, createChainRpcs([node.url]), clock);
  const sendOnly = createSendOnlyTargets({ solanaSendAddresses: sendAddresses, solanaSendHeaders: {} }, 1);
  const { due, sent } = await broadcastDue({ ...context, sendOnly }, 64);
  await sent;
  return due;
}

async function job(id: string) {
  const [row] = await db<{ signature: string | null; sendCount: number; dueMs: number; isDue: boolean }[]>`
    select i.transaction_signature as signature, b.send_count, b.next_send_at <= now() as is_due,
      (extract(epoch from b.next_send_at - i.submitted_at) * 1000)::float8 as due_ms
    from transaction_intents i join intent_broadcasts b on b.intent_id = i.id where i.id = ${id}`;
  if (row === undefined) throw new Error('no job');
  return row;
}

const elsewhere = () => [...node.sent, ...plain.sent];

test('a protected transaction goes to marked addresses only: by the api, and at every resend of the worker', async () => {
  const { id, wire } = await submitted();
  const recorded = await eventually('the record', async () => {
    const row = await job(id);
    return row.signature !== null && row;
  });
  expect(recorded).toMatchObject({ signature: signatureOf(wire), sendCount: 1 });
  expect(recorded.dueMs).toBeGreaterThanOrEqual(2_000);
  expect(await workAt(id, 1_999)).toBe(0);
  for (let resend = 1; resend <= 3; resend += 1)
    expect(await workAt(id, recorded.dueMs + resend * 2_001)).toBe(1);
  expect(guard.sent).toEqual([wire, wire, wire, wire]);
  expect(elsewhere()).toEqual([]);
});

test('a fast one goes to every address, the marked ones included', async () => {
  const { id, wire } = await submitted(api.baseUrl, 'fast');
  await eventually('all addresses', async () => [node, plain, guard].every(({ sent }) => sent.length === 1));
  await api.dependencies.firstBroadcaster.drain();
  expect(await workAt(id, 10_000)).toBe(1);
  for (const { sent } of [node, plain, guard]) expect(sent).toEqual([wire, wire]);
});

test.each(['refuse', 'unavailable', 'other signature'] as const)(
  'when the marked address answers “%s”, only that address is tried again',
  async (answer) => {
    guard.answer = answer;
    const { id, wire } = await submitted();
    await api.dependencies.firstBroadcaster.drain();
    const left = await job(id);
    expect(left).toMatchObject({ signature: null, isDue: true });
    await workAt(id, 2_500);
    guard.answer = 'accept';
    await workAt(id, 5_000);
    expect(guard.sent).toEqual([wire, wire, wire]);
    expect((await job(id)).signature).toBe(signatureOf(wire));
    expect(elsewhere()).toEqual([]);
  },
);

test('after a kill of the api between commit and answer, the worker sends to marked addresses only', async () => {
  guard.answer = 'hold';
  const { baseUrl, child } = await startApiProcess(database.url, environment);
  const { id, wire } = await submitted(baseUrl);
  await eventually('the send', async () => guard.sent.length === 1);
  await child.kill();
  guard.answer = 'accept';
  expect(await workAt(id, RESEND_MS)).toBe(1);
  const restarted = await startApiProcess(database.url, environment);
  const next = await submitted(restarted.baseUrl);
  await eventually('the send', async () => guard.sent.includes(next.wire));
  expect(guard.sent.filter((sent) => sent === wire)).toHaveLength(2);
  expect(elsewhere()).toEqual([]);
});

test('a process without a marked address sends it nowhere, and counts no send', async () => {
  const { SOLANA_RPC_URL } = environment;
  const unmarked = await startTestApi({
    database,
    environment: { SOLANA_RPC_URL, SOLANA_SEND_URL: plain.url },
  });
  const { id } = await submitted(unmarked.baseUrl);
  await unmarked.dependencies.firstBroadcaster.drain();
  expect(await workAt(id, RESEND_MS, addresses.slice(0, 1))).toBe(1);
  expect(await job(id)).toMatchObject({ signature: null, sendCount: 0 });
  expect([...elsewhere(), ...guard.sent]).toEqual([]);
});

test('the worker is woken for it, its lateness is measured, and operators see when it is due', async () => {
  guard.answer = 'unavailable';
  const { id } = await submitted();
  await api.dependencies.firstBroadcaster.drain();
  const later = new Date(Date.now() + 60_000);
  expect((await db<{ isDue: boolean }[]>`select ${isBroadcastDue(db, later)} as is_due`)[0]?.isDue).toBe(
    true,
  );
  const dueAt = new Date('2026-01-01T00:00:00Z');
  await db`update intent_broadcasts set next_send_at = ${dueAt}`;
  expect(await readBroadcastDelay(db)).toBeGreaterThan(89);
  expect((await inspectIntent(db, id))?.broadcast?.nextSendAt).toEqual(dueAt);
});
