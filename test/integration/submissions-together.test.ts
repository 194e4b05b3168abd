import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import postgres from 'postgres';
import { lockAccount } from '../../src/db/account-lock.ts';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import type { ResponseRecord } from '../../src/db/idempotency-record.ts';
import { storeSubmissions, type VerifiedSubmission } from '../../src/intents/submit/store-submissions.ts';
import { SubmissionWriter } from '../../src/intents/submit/submission-writer.ts';
import { acceptKnown } from '../../src/intents/submit/submit-intent.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { endSessions, sessionsBlockedBy } from '../support/database/held-locks.ts';
import { createPreparedIntent, signWith, submissionOf, submitting } from '../support/intents/intents.ts';
import { submitIntent } from '../support/intents/submit-intent.ts';
import { openDatabase, urlOf } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

const MANY = 40;
const wallet = Keypair.generate();
const walletAddress = wallet.publicKey.toBase58();

describe('submissions that come at once', () => {
  let api: TestApi;
  let db: Database;
  let key: TestKey;

  beforeAll(async () => {
    api = await startTestApi();
    db = api.dependencies.database;
    key = await createTestKey(db, { walletAddress });
  });

  async function prepared() {
    const { id, unsigned } = await createPreparedIntent(db, { accountId: key.accountId, wallet });
    return { id, wire: Buffer.from(signWith(unsigned, wallet)).toString('base64') };
  }

  async function submit(
    { id, wire }: { id: string; wire: string },
    idempotencyKey: string = crypto.randomUUID(),
  ) {
    const response = await submitIntent(api.baseUrl, id, { key, signed: wire, idempotencyKey });
    return { status: response.status, body: await response.text(), headers: response.headers };
  }

  test('share statements, and each is accepted, stored, and replayed as it would be alone', async () => {
    const intents = await Promise.all(Array.from({ length: MANY }, () => prepared()));
    const answers = await Promise.all(intents.map((intent) => submit(intent, intent.id)));
    expect(answers.map(({ status }) => status)).toEqual(intents.map(() => 202));
    const ids = intents.map(({ id }) => id);
    const [stored] = await db<{ intents: number; jobs: number; events: number; transactions: number }[]>`
      select count(*)::int as intents, count(b)::int as jobs, count(e)::int as events,
        count(distinct e.xmin::text)::int as transactions
      from transaction_intents i join intent_broadcasts b on b.intent_id = i.id
      join events e on e.subject = i.id::text and e.type like '%transaction\_intent.submitted%'
      where i.id = any(${ids}::uuid[]) and i.status = 'submitted' and i.version = 2`;
    expect(stored).toMatchObject({ intents: MANY, jobs: MANY, events: MANY });
    expect(stored?.transactions).toBeLessThan(MANY);
    const replays = await Promise.all(intents.map((intent) => submit(intent, intent.id)));
    expect(replays.map(({ body }) => body)).toEqual(answers.map(({ body }) => body));
    expect(replays.every(({ headers }) => headers.get('idempotent-replayed') === 'true')).toBe(true);
  });

  test('are accepted while something else of their account is counted and added to', async () => {
    const intents = await Promise.all(Array.from({ length: 12 }, () => prepared()));
    await db.begin(async (transaction) => {
      await lockAccount(transaction, key.accountId);
      const answers = await Promise.all(intents.map((intent) => submit(intent)));
      expect(answers.map(({ status }) => status)).toEqual(intents.map(() => 202));
    });
  });

  test('each get their own response: a wrong, late, duplicate or unknown one does not keep others from being accepted', async () => {
    const good = await Promise.all(Array.from({ length: 24 }, () => prepared()));
    const late = await prepared();
    await db`
      update transaction_intents set created_at = now() - interval '1 hour', expires_at = now() - interval '1 minute'
      where id = ${late.id}`;
    const [doubled, taken, swapped] = [await prepared(), await prepared(), await prepared()];
    const [firstGood] = good;
    if (firstGood === undefined) throw new Error('nothing was prepared');
    const usedKey = crypto.randomUUID();
    expect((await submit(taken, usedKey)).status).toBe(202);
    const sameKey = crypto.randomUUID();
    const codeOf = async (answer: ReturnType<typeof submit>) => {
      const { status, body } = await answer;
      return status === 202 ? 'accepted' : (JSON.parse(body) as { code: string }).code;
    };
    const goodAnswers = good.map((intent) => codeOf(submit(intent)));
    const doubles = [codeOf(submit(doubled)), codeOf(submit(doubled)), codeOf(submit(doubled))];
    const repeated = await prepared();
    const sameKeyTwice = [codeOf(submit(repeated, sameKey)), codeOf(submit(repeated, sameKey))];
    const wrong = await Promise.all([
      codeOf(submit(late)),
      codeOf(submit(taken)),
      codeOf(submit(firstGood, usedKey)),
      codeOf(submit({ id: swapped.id, wire: doubled.wire })),
      codeOf(submit({ id: crypto.randomUUID(), wire: doubled.wire })),
    ]);
    expect(await Promise.all(goodAnswers)).toEqual(good.map(() => 'accepted'));
    expect(wrong).toEqual([
      'transaction_intent_expired',
      'transaction_intent_not_prepared',
      'idempotency_key_reused',
      'transaction_intent_tampered',
      'transaction_intent_not_found',
    ]);
    expect((await Promise.all(doubles)).sort()).toEqual([
      'accepted',
      'transaction_intent_not_prepared',
      'transaction_intent_not_prepared',
    ]);
    const repeats = await Promise.all(sameKeyTwice);
    expect(repeats).toContain('accepted');
    expect(repeats.every((code) => ['accepted', 'idempotency_request_in_progress'].includes(code))).toBe(
      true,
    );
    expect((await submit(swapped)).status).toBe(202);
  });
});

describe('the statement of several', () => {
  let db: Database;
  let key: TestKey;

  beforeAll(async () => {
    db = await openDatabase();
    key = await createTestKey(db, { walletAddress });
  });

  type Verified = VerifiedSubmission & { record: ResponseRecord };

  let lastLock = 0;
  beforeEach(() => {
    lastLock += 1_000;
  });

  /** Verified submissions of new intents, as the fast path hands them over. */
  function verified(
    count: number,
    change: Partial<ResponseRecord> = {},
    { accountId } = key,
  ): Promise<Verified[]> {
    return Promise.all(
      Array.from({ length: count }, async () => {
        const intent = await createPreparedIntent(db, { accountId, wallet });
        const { id } = intent;
        lastLock += 1;
        const record: ResponseRecord = {
          key: id,
          fingerprint: new Uint8Array(32).fill(7),
          lockId: String(lastLock),
          status: 202,
          headers: { ETag: '"2"', Location: `/a\\b"${id}"` },
          body: Buffer.from(`{"id":"${id}","text":"\\u00e9 é {},"}`),
          retentionMs: 60_000,
          ...change,
        };
        const accepted = await acceptKnown(submissionOf(intent, accountId, wallet), {
          ...submitting,
          lookUps: db,
        });
        if (accepted === null) throw new Error('the submission was refused');
        return { ...accepted, record };
      }),
    );
  }

  /** Those of them that are stored. */
  async function stored(submissions: readonly Verified[]): Promise<Verified[]> {
    const outcomes = await storeSubmissions(db, submissions);
    return submissions.filter((_, at) => outcomes[at]);
  }

  /** Everything that is stored of a submission, without what differs between any two. */
  async function storedOf({ submitted, event, record }: Verified) {
    const [row] = await db`
      select i.status, i.version, i.signed_transaction = ${submitted.signedTransaction} as "isSigned",
        i.submitted_at = ${submitted.submittedAt} as "isAt", b.send_count, b.next_send_at - i.submitted_at as due,
        b.created_at = i.submitted_at as "isQueuedAt", e.type, e.subject = i.id::text as "isSubject",
        e.account_id = i.account_id as "isAccount", e.body = ${event.body} as "isBody", e.traceparent,
        r.fingerprint, r.response_status, r.response_headers = ${db.json(record.headers)}::jsonb as "areHeaders",
        r.response_body = ${record.body} as "isResponse", r.sealed, r.expires_at - r.created_at as kept
      from transaction_intents i left join intent_broadcasts b on b.intent_id = i.id
      left join events e on e.id = ${event.id} left join idempotency_records r on r.key = ${record.key}
      where i.id = ${submitted.id}`;
    return row;
  }

  test('stores several exactly as it stores one', async () => {
    const [alone, ...together] = await verified(6);
    if (alone === undefined) throw new Error('nothing was verified');
    expect(await stored([alone])).toEqual([alone]);
    expect(await stored(together)).toEqual(together);
    const expected = await storedOf(alone);
    expect(expected).toMatchObject({
      status: 'submitted',
      isSigned: true,
      isResponse: true,
      areHeaders: true,
    });
    for (const each of together) expect(await storedOf(each)).toEqual(expected);
  });

  test('leaves out submissions with a key in use, a locked row or an earlier submission, without waiting', async () => {
    const [used, held, before, answered, ...others] = await verified(8);
    if (!used || !held || !before || !answered) throw new Error('nothing was verified');
    expect(await stored([before])).toEqual([before]);
    await db`insert into idempotency_records
      (account_id, key, fingerprint, response_status, response_headers, response_body, sealed, created_at, expires_at)
      values (${key.accountId}, ${answered.record.key}, ${Buffer.alloc(32)}, 200, '{}', '', false, now(), now())`;
    await db.begin(async (other) => {
      await other`select pg_advisory_xact_lock(${used.record.lockId}::bigint)`;
      await other`select from transaction_intents where id = ${held.submitted.id} for update`;
      expect(await stored([used, held, before, answered, ...others])).toEqual(others);
    });
    expect(await storedOf(used)).toMatchObject({ status: 'prepared', version: 1, type: null });
    // Free again, both are accepted.
    expect(await stored([used, held])).toEqual([used, held]);
  });

  test('leaves out those whose account is held, for which foreign keys would wait, and stores the others', async () => {
    const other = await createTestKey(db, { walletAddress });
    const [mine, theirs] = [await verified(3), await verified(2, {}, other)];
    const all = [theirs, mine].flat();
    await db.begin(async (holder) => {
      await holder`select from accounts where id = ${other.accountId} for update`;
      expect(await stored(all)).toEqual(mine);
    });
    for (const each of theirs) expect(await storedOf(each)).toMatchObject({ status: 'prepared', type: null });
    expect(await stored(all)).toEqual(theirs);
  });

  test('takes only the first submission of an intent or a key, and the next finds its result', async () => {
    // One connection keeps statements in order: over several the later one of a key may come first.
    const connection = connectDatabase(urlOf(db), { applicationName: 'test', connections: 1 });
    atEnd(() => connection.end({ timeout: 1 }));
    const writer = new SubmissionWriter(connection);
    const [one, other, sameKey, again] = await verified(4);
    if (!one || !other || !sameKey || !again) throw new Error('nothing was verified');
    const { key: usedKey, lockId } = other.record;
    const sameIntent = { ...one, record: { ...again.record, key: 'another' } };
    // As many as have a statement of their own; the rest waits, and would be written together.
    const running = (await verified(4)).map((submission) => writer.write(submission));
    const waiting = [
      one,
      sameIntent,
      other,
      { ...sameKey, record: { ...sameKey.record, key: usedKey, lockId } },
    ].map((submission) => writer.write(submission));
    expect(await Promise.all(running)).toEqual([true, true, true, true]);
    expect(await Promise.all(waiting)).toEqual([true, false, true, false]);
    expect(await storedOf(sameKey)).toMatchObject({ status: 'prepared' });
    const keys =
      await db`select key from idempotency_records where key = any(${['another', one.record.key, usedKey]})`;
    expect(keys.map((row) => row.key).toSorted()).toEqual([one.record.key, usedKey].toSorted());
    // A statement with two of one would fail, and each of its submissions would be written by itself.
    const transactions =
      await db`select distinct xmin::text from events where id in (${one.event.id}, ${other.event.id})`;
    expect(transactions.count).toBe(1);
  });

  test('that fails for one of them stores the others', async () => {
    const writer = new SubmissionWriter(db);
    const [faulty] = await verified(1, { status: 500 });
    if (faulty === undefined) throw new Error('nothing was verified');
    const good = await verified(12);
    const all = [...good.slice(0, 6), faulty, ...good.slice(6)];
    const results = await Promise.allSettled(all.map((submission) => writer.write(submission)));
    const failed = results.filter((result) => result.status === 'rejected');
    expect(failed.map(({ reason }) => reason)).toEqual([expect.any(postgres.PostgresError)]);
    expect(results.filter((result) => result.status === 'fulfilled' && result.value)).toHaveLength(12);
    expect(await storedOf(faulty)).toMatchObject({ status: 'prepared' });
    for (const each of good) expect(await storedOf(each)).toMatchObject({ status: 'submitted' });
  });

  test('whose connection is lost stores none, fails each of them, and later ones are written', async () => {
    const writer = new SubmissionWriter(db);
    const all = await verified(10);
    await db.begin(async (other) => {
      await other`lock table idempotency_records in exclusive mode`;
      let isOver = false;
      const results = Promise.allSettled(all.map((submission) => writer.write(submission))).finally(() => {
        isOver = true;
      });
      // Those of one first, then the one of the rest.
      await eventually('all have lost their connection', async () => {
        await endSessions(db, await sessionsBlockedBy(other));
        return isOver;
      });
      expect((await results).every(({ status }) => status === 'rejected')).toBe(true);
    });
    for (const each of all) expect(await storedOf(each)).toMatchObject({ status: 'prepared', type: null });
    expect(await Promise.all(all.map((submission) => writer.write(submission)))).toEqual(all.map(() => true));
  });
});
