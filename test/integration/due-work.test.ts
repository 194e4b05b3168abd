import { beforeEach, describe, expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import type { Database } from '../../src/db/client.ts';
import { DueWork } from '../../src/db/jobs/due-work.ts';
import type { DueCondition } from '../../src/db/jobs/job.ts';
import { isLaunchPending } from '../../src/features/launches/advance-launches.ts';
import { isOperationDue } from '../../src/features/operations/runner/lease-rows.ts';
import { advanceDueRounds } from '../../src/features/predictions/rounds/advance-due-rounds.ts';
import { isRoundDue } from '../../src/features/predictions/rounds/advance-round.ts';
import { isRoundSettling } from '../../src/features/predictions/rounds/settle-round.ts';
import { isPresaleDue } from '../../src/features/presales/advance-presales.ts';
import { isIntentAwaited } from '../../src/intents/confirm/list-awaited-intents.ts';
import { isIntentOverdue } from '../../src/intents/end/expire-intents.ts';
import { isBroadcastDue } from '../../src/intents/send/claim-broadcasts.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { isEventUnpublished } from '../../src/outbox/publish.ts';
import { Wakeup } from '../../src/shared/loop.ts';
import { loopFailures } from '../../src/shared/loop-failures.ts';
import { emptyTables } from '../support/database/empty-tables.ts';
import { unsignedTransfer } from '../support/intents/intent-transactions.ts';
import { insertAccount, insertIntent } from '../support/intents/submitted-intent.ts';
import { insertLaunch } from '../support/launches/insert-launch.ts';
import { createTestPresale } from '../support/market/presales.ts';
import { createRoundFixture, PROOF_WAIT_MS } from '../support/predictions/prediction-stage.ts';
import { runTestJob } from '../support/processes/run-job.ts';
import { asWorker, openDatabase, silentLog } from '../support/processes/worker-context.ts';
import { createTestClock } from '../support/run/clock.ts';
import { eventually } from '../support/run/eventually.ts';

const MINUTE_MS = 60_000;
const clock = createTestClock();
let db: Database;
let worker: Database;
let accountId: string;

beforeEach(async () => {
  db = await openDatabase();
  worker = asWorker(db);
  accountId = await insertAccount(db);
});

const wallet = Keypair.generate().publicKey;

const always: DueCondition = (sql) => sql`true`;
const never: DueCondition = (sql) => sql`false`;

/** Counts the wake-ups of a job. */
function watched(work: DueWork, condition: DueCondition) {
  const wakeup = new Wakeup();
  const seen = { wakes: 0, unwatch: work.watch(condition, wakeup) };
  wakeup.wake = () => {
    seen.wakes += 1;
  };
  return seen;
}

describe('a check for due work', () => {
  test('wakes the jobs that have something to do, and no other', async () => {
    const work = new DueWork(worker, clock);
    await work.look();
    const jobs = [never, always, never, always].map((condition) => watched(work, condition));
    await work.look();
    await work.look();
    expect(jobs.map(({ wakes }) => wakes)).toEqual([0, 2, 0, 2]);
  });

  test('leaves out a job that has ended', async () => {
    const work = new DueWork(worker, clock);
    const [ended, other] = [watched(work, always), watched(work, always)];
    ended.unwatch();
    await work.look();
    expect([ended.wakes, other.wakes]).toEqual([0, 1]);
  });

  test('is repeated; one that fails is counted, and the next one wakes again', async () => {
    const work = new DueWork(worker, clock);
    let isBroken = true;
    const job = watched(work, (sql) => (isBroken ? sql`1 / 0 = 1` : sql`true`));
    const stop = new AbortController();
    const running = runTestJob(work.job, { signal: stop.signal });
    await eventually('a failed look', async () => (loopFailures.get('due-work') ?? 0) > 0);
    expect(job.wakes).toBe(0);
    isBroken = false;
    await eventually('two wake-ups', async () => job.wakes >= 2);
    stop.abort();
    await running;
  });
});

describe('due work', () => {
  const conditions: Record<string, DueCondition> = {
    awaited: isIntentAwaited,
    broadcast: isBroadcastDue,
    event: isEventUnpublished,
    launch: isLaunchPending,
    operation: isOperationDue,
    overdueByTime: (sql, now) => isIntentOverdue(sql, now, null),
    overdueByHeight: (sql, now) => isIntentOverdue(sql, now, 110n),
    presale: isPresaleDue,
    round: isRoundDue,
    settlement: (sql, now) => isRoundSettling(sql, now, PROOF_WAIT_MS),
  };

  async function due(): Promise<string[]> {
    const work = new DueWork(worker, clock);
    const jobs = Object.values(conditions).map((condition) => watched(work, condition));
    await work.look();
    return Object.keys(conditions).filter((_, at) => (jobs[at]?.wakes ?? 0) > 0);
  }

  test('is nothing in an empty database', async () => {
    expect(await due()).toEqual([]);
  });

  test('a submitted intent is awaited from the start, and broadcast at its time', async () => {
    const transaction = unsignedTransfer(wallet);
    const now = clock.now();
    const expiresAt = new Date(now.getTime() + 60 * MINUTE_MS);
    const intent = { status: 'submitted' as const, transaction, lastValidBlockHeight: 100n, expiresAt, now };
    await insertIntent(db, accountId, intent);
    expect(await due()).toEqual(['awaited', 'broadcast']);
    await db`update intent_broadcasts set next_send_at = ${expiresAt}`;
    expect(await due()).toEqual(['awaited']);
  });

  test('a prepared intent is overdue by its time, or by a height beyond its last one', async () => {
    const transaction = unsignedTransfer(wallet);
    const now = clock.now();
    const expiresAt = new Date(now.getTime() + MINUTE_MS);
    const intent = { status: 'prepared' as const, transaction, expiresAt, now };
    const id = await insertIntent(db, accountId, { ...intent, lastValidBlockHeight: 110n });
    expect(await due()).toEqual([]);
    await db`update transaction_intents set last_valid_block_height = 109 where id = ${id}`;
    expect(await due()).toEqual(['overdueByHeight']);
    await db`update transaction_intents set last_valid_block_height = 110, expires_at = ${now} where id = ${id}`;
    expect(await due()).toEqual(['overdueByTime', 'overdueByHeight']);
  });

  test('an event is due until the broker has it', async () => {
    const origin = { source: 'https://api.test/api/v2', docsUrl: 'https://api.test/docs' };
    const outbox = createOutbox(origin, clock);
    await db.begin((sql) =>
      outbox.append(sql, { name: 'webhook.ping', subject: 'one', accountId, data: {} }),
    );
    expect(await due()).toEqual(['event']);
    await db`delete from events_to_publish`;
    expect(await due()).toEqual([]);
  });

  test('an operation is due when it can be claimed', async () => {
    await insertOperation('1 hour');
    expect(await due()).toEqual([]);
    await insertOperation('-1 second');
    expect(await due()).toEqual(['operation']);
  });

  test('a presale is due at its start', async () => {
    await createTestPresale(db, clock);
    expect(await due()).not.toContain('presale');
    clock.advance(2_000);
    expect(await due()).toContain('presale');
  });

  test('a launch is due until it is over', async () => {
    const intent = {
      status: 'prepared' as const,
      transaction: unsignedTransfer(wallet),
      lastValidBlockHeight: 200n,
    };
    const now = clock.now();
    const intentId = await insertIntent(db, accountId, {
      ...intent,
      expiresAt: new Date(now.getTime() + MINUTE_MS),
      now,
    });
    await insertLaunch(db, { accountId, intentId });
    expect(await due()).toEqual(['launch']);
    await db`update launches set status = 'expired', completed_at = now()`;
    expect(await due()).toEqual([]);
  });

  test('a round is due at its times, and to be settled with a proof or after a long wait', async () => {
    const rounds = createRoundFixture(db, clock);
    const mint = await rounds.launch();
    await rounds.plan(mint);
    await emptyTables(db, 'events');
    expect(await due()).toEqual([]);
    clock.advance(3 * MINUTE_MS);
    expect(await due()).toEqual(['round']);
    while (await advanceDueRounds(rounds.context, silentLog));
    await emptyTables(db, 'events');
    expect(await due()).toEqual([]);
    await rounds.prove(mint, new Date(clock.now().getTime() + 1));
    expect(await due()).toEqual(['settlement']);
    await db`delete from source_proofs`;
    expect(await due()).toEqual([]);
    clock.advance(PROOF_WAIT_MS);
    expect(await due()).toEqual(['settlement']);
  });
});

async function insertOperation(dueIn: string): Promise<void> {
  await db`
    insert into operations (id, account_id, kind, status, input, created_at, due_at)
    values (${Bun.randomUUIDv7()}, ${accountId}, 'delivery_replay', 'queued', '{}', now(), now() + ${dueIn}::interval)`;
}
