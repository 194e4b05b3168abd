import { beforeAll, describe, expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import { connectDatabase, type Database, type Transaction } from '../../src/db/client.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { type ApiProcess, startApiProcess } from '../support/api/api-process.ts';
import { createTestDatabase } from '../support/database/database.ts';
import {
  type BlockedSession,
  endSessions,
  haveSessionsEnded,
  holdLocks,
  untilSessionsEnded,
} from '../support/database/held-locks.ts';
import { createPreparedIntent, type PreparedIntent, signWith } from '../support/intents/intents.ts';
import { submitIntent } from '../support/intents/submit-intent.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

let database: Database;
let databaseUrl: string;
let survivor: ApiProcess;
let key: TestKey;
const wallet = Keypair.generate();

beforeAll(async () => {
  ({ url: databaseUrl } = await createTestDatabase());
  database = connectDatabase(databaseUrl, { applicationName: 'test', connections: 4 });
  atEnd(() => database.end());
  survivor = await startApiProcess(databaseUrl);
  key = await createTestKey(database, { walletAddress: wallet.publicKey.toBase58() });
});

function submit({ baseUrl }: ApiProcess, intent: PreparedIntent, idempotencyKey: string): Promise<Response> {
  return submitIntent(baseUrl, intent.id, { key, signed: signWith(intent.unsigned, wallet), idempotencyKey });
}

/** Everything that a submission writes: status with version, broadcast jobs, events and stored responses. */
async function traces({ id }: PreparedIntent, idempotencyKey: string) {
  const [row] = await database<(typeof NOTHING)[]>`
    select status || ' v' || version as intent,
      (select count(*)::int from intent_broadcasts where intent_id = ${id}) as jobs,
      (select count(*)::int from events where subject = ${id} and type not like '%.prepared.%') as events,
      (select count(*)::int from idempotency_records where key = ${idempotencyKey} and expires_at > now())
        as responses
    from transaction_intents where id = ${id}`;
  return row;
}
const NOTHING = { intent: 'prepared v1', jobs: 0, events: 0, responses: 0 };
const ALL = { intent: 'submitted v2', jobs: 1, events: 1, responses: 1 };

interface Hold {
  /** Locks a row that the submission needs. */
  row(transaction: Transaction): Promise<unknown>;
  /** Whether the submission waits in its one statement or in its transaction of several. */
  isOnFastPath: boolean;
}

/** Submits to a separate process and kills it while its statement waits for the row. Calls `then` before it
 * frees the row. Returns when the session of the process has ended. */
async function killInTheMiddle(
  intent: PreparedIntent,
  idempotencyKey: string,
  then: (victim: readonly BlockedSession[]) => Promise<void>,
  hold: Hold = { row: (transaction) => takeKey(transaction, idempotencyKey), isOnFastPath: true },
) {
  const victim = await startApiProcess(databaseUrl);
  const held = await holdLocks(database, hold.row);
  const attempt = submit(victim, intent, idempotencyKey).catch(() => 'connection lost');
  const sessions = await held.untilBlocked('the submission is in the middle');
  // The single statement of a submission.
  expect(sessions.map(({ query }) => query.includes('with given ('))).toEqual([hold.isOnFastPath]);
  await victim.child.kill();
  expect(await attempt).toBe('connection lost');
  await then(sessions);
  expect(await traces(intent, idempotencyKey)).toEqual(NOTHING);
  await held.rollBack();
  await untilSessionsEnded(database, sessions);
}

/** Locks the only row for which the single statement waits: that of the response, which it writes last. */
function takeKey(transaction: Transaction, idempotencyKey: string): Promise<unknown> {
  return transaction`
    insert into idempotency_records
      (account_id, key, fingerprint, response_status, response_headers, response_body, sealed, created_at, expires_at)
    values (${key.accountId}, ${idempotencyKey}, sha256(''), 202, '{}', '\\x00', false, now(), now() + interval '1 hour')`;
}

function lockIntent(transaction: Transaction, { id }: PreparedIntent): Promise<unknown> {
  return transaction`select from transaction_intents where id = ${id} for update`;
}

const prepare = () => createPreparedIntent(database, { accountId: key.accountId, wallet });

test('killed after the statement was sent: it takes effect wholly or not at all, and the same key succeeds elsewhere', async () => {
  const intent = await prepare();
  await killInTheMiddle(intent, 'killed-submission-1', (victim) =>
    expectBusy(intent, 'killed-submission-1', victim),
  );
  // The database either finishes the statement or aborts it because the client is gone. It never does half of
  // it.
  expect([NOTHING, ALL]).toContainEqual((await traces(intent, 'killed-submission-1')) ?? NOTHING);
  await expectAcceptedOnce(intent, 'killed-submission-1');
});

test('killed together with its database session: it has no effect, and the same key succeeds elsewhere', async () => {
  const intent = await prepare();
  await killInTheMiddle(intent, 'killed-submission-2', (victim) => endSessions(database, victim));
  expect(await traces(intent, 'killed-submission-2')).toEqual(NOTHING);
  const response = await expectAcceptedOnce(intent, 'killed-submission-2');
  expect(response.headers.get('idempotent-replayed')).toBeNull();
});

// The key's record has expired but still exists. Only the transaction of several statements can replace it.
describe('killed in the transaction that takes over when one statement cannot', () => {
  test.each<[string, (transaction: Transaction, intent: PreparedIntent, key: string) => Promise<unknown>]>([
    ['before its first write', lockIntent],
    [
      'after its last write but one',
      (transaction, _intent, key) =>
        transaction`select from idempotency_records where key = ${key} for update`,
    ],
  ])('%s: nothing has happened, and the same key succeeds elsewhere', async (where, row) => {
    const idempotencyKey = `killed-submission-${where.replaceAll(' ', '-')}`;
    const earlier = await prepare();
    expect((await submit(survivor, earlier, idempotencyKey)).status).toBe(202);
    await database`
      update idempotency_records set created_at = created_at - interval '1 day', expires_at = created_at
      where key = ${idempotencyKey}`;

    const intent = await prepare();
    await killInTheMiddle(intent, idempotencyKey, (victim) => expectBusy(intent, idempotencyKey, victim), {
      row: (transaction) => row(transaction, intent, idempotencyKey),
      isOnFastPath: false,
    });
    expect(await traces(intent, idempotencyKey)).toEqual(NOTHING);
    const response = await expectAcceptedOnce(intent, idempotencyKey);
    expect(response.headers.get('idempotent-replayed')).toBeNull();
  });
});

/** Another process refuses the same key. */
async function expectBusy(
  intent: PreparedIntent,
  idempotencyKey: string,
  victim: readonly BlockedSession[],
): Promise<void> {
  const busy = await submit(survivor, intent, idempotencyKey);
  expect(busy.ok).toBe(false);
  // On a starved machine the session may first end at the limit of its wait. This process then waits for the row as well.
  if (await haveSessionsEnded(database, victim)) return;
  expect(busy.status).toBe(409);
  expect(await busy.json()).toMatchObject({ code: 'idempotency_request_in_progress' });
}

/** Repeats the request with the same key at another process until it responds. Everything was then written
 * once. */
async function expectAcceptedOnce(intent: PreparedIntent, idempotencyKey: string): Promise<Response> {
  const accepted = await eventually('the key is free', async () => {
    const response = await submit(survivor, intent, idempotencyKey);
    return response.status === 202 ? response : null;
  });
  expect(await accepted.json()).toMatchObject({ id: intent.id, status: 'submitted', version: 2 });
  expect(await traces(intent, idempotencyKey)).toEqual(ALL);
  return accepted;
}
