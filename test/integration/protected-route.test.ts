import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
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

const FIRST_DUE_MS = 1_000;
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
  const [row] = await db<{ signature: string | null; sendCount: number; dueMs: number; isHidden: boolean }[]>`
    select i.transaction_signature as signature, b.send_count, b.next_send_at > now() + interval '1000 years' as is_hidden,
      (extract(epoch from b.protected_send_at - i.submitted_at) * 1000)::float8 as due_ms
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
  expect(recorded).toMatchObject({ signature: signatureOf(wire), sendCount: 1, isHidden: true });
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
    expect(left).toMatchObject({ signature: null, isHidden: true });
    expect(left.dueMs).toBeLessThan(FIRST_DUE_MS + 1_000);
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
  expect(await workAt(id, FIRST_DUE_MS)).toBe(1);
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
  expect(await workAt(id, FIRST_DUE_MS, addresses.slice(0, 1))).toBe(1);
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
  await db`update intent_broadcasts set protected_send_at = ${dueAt}`;
  expect(await readBroadcastDelay(db)).toBeGreaterThan(89);
  expect((await inspectIntent(db, id))?.broadcast?.nextSendAt).toEqual(dueAt);
});

test('the release before routes can neither submit what is protected nor find its job', async () => {
  const { id } = await prepared();
  const submit = db`
    update transaction_intents set status = 'submitted', version = 2, signed_transaction = 'x', submitted_at = now()
    where id = ${id}`;
  expect(await submit.catch(({ constraint_name }) => constraint_name)).toBe('transaction_intents_whole');
  await submitted();
  await api.dependencies.firstBroadcaster.drain();
  const found = await db`select from intent_broadcasts where next_send_at <= now() + interval '100 years'`;
  expect(found).toHaveLength(0);
});

describe('statements of the release before routes, as its worker runs them', () => {
  /** How it looks for work, and how it claims what is due, at a time. */
  const isDueToThem = async (now: Date) => {
    const [row] = await db<{ isDue: boolean }[]>`
      select exists (select from intent_broadcasts where next_send_at <= ${now}) as is_due`;
    return row?.isDue;
  };
  const claimedByThem = async (now: Date): Promise<string[]> => {
    const rows = await db<{ intentId: string }[]>`
    with due as (
      select intent_id, next_send_at from intent_broadcasts where next_send_at <= ${now}
      order by next_send_at limit ${64} for update skip locked
    ), claimed as materialized (
      select due.next_send_at, i.id, i.signed_transaction, i.policy, i.transaction_signature, i.submitted_at,
        i.last_valid_block_height is null and i.expires_at <= ${now} as is_slow
      from due join transaction_intents i on i.id = due.intent_id where i.status = 'submitted'
    )
    update intent_broadcasts b set
      next_send_at = case when c.is_slow
        then ${now}::timestamptz + make_interval(secs => 60) else ${now}::timestamptz + interval '2 seconds' end,
      send_count = b.send_count + 1
    from claimed c
    where b.intent_id = c.id
    returning b.intent_id`;
    return rows.map(({ intentId }) => intentId);
  };

  test('find and claim what is fast, and never what is protected, whatever is due', async () => {
    guard.answer = 'unavailable';
    const { id } = await submitted();
    const { id: fast } = await submitted(api.baseUrl, 'fast');
    await api.dependencies.firstBroadcaster.drain();
    const before = await job(id);
    const much = new Date(Date.now() + 1_000 * 365 * 86_400_000);
    expect(await isDueToThem(much)).toBe(true);
    expect(await claimedByThem(much)).toEqual([fast]);
    await db`delete from intent_broadcasts where intent_id = ${fast}`;
    expect([await isDueToThem(much), await claimedByThem(much)]).toEqual([false, []]);
    expect(await job(id)).toEqual(before);
    // The worker of this release has not lost it.
    expect(await workAt(id, 60_000)).toBe(1);
  });

  test('cannot make what is protected due to them', async () => {
    const { id } = await submitted();
    await api.dependencies.firstBroadcaster.drain();
    for (const statement of [
      // Its api leaves a send to the worker, and records one that was accepted.
      db`update intent_broadcasts set next_send_at = least(next_send_at, now()) where intent_id = ${id}`,
      db`update intent_broadcasts set next_send_at = now() where intent_id = ${id}`,
    ])
      expect(await statement.catch(({ constraint_name }) => String(constraint_name))).toStartWith(
        'intent_broadcasts_',
      );
    const later = new Date(Date.now() + 60_000).toISOString();
    await db`update intent_broadcasts set next_send_at = greatest(next_send_at, ${later}) where intent_id = ${id}`;
    const claimed = await claimedByThem(new Date(Date.now() + 365 * 86_400_000));
    expect(claimed).toEqual([]);
  });
});
