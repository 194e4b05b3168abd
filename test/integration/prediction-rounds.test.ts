import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import { documentedEvents } from '../../src/documentation/events/documented-events.ts';
import {
  advanceDueRounds,
  settleDueRounds,
} from '../../src/features/predictions/rounds/advance-due-rounds.ts';
import { advanceRound, findDueRounds } from '../../src/features/predictions/rounds/advance-round.ts';
import { holdOpenRound } from '../../src/features/predictions/rounds/hold-open-round.ts';
import { voidRound } from '../../src/features/predictions/rounds/void-round.ts';
import { predictionWorker } from '../../src/features/predictions/worker.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { type EventName, eventName } from '../../src/shared/events/catalogue.ts';
import { holdLocks } from '../support/database/held-locks.ts';
import { createRoundFixture, MINUTE_MS, type RoundFixture } from '../support/predictions/prediction-stage.ts';
import { runTestJob } from '../support/processes/run-job.ts';
import { openDatabase, silentLog, startDueWork } from '../support/processes/worker-context.ts';
import { createTestClock } from '../support/run/clock.ts';
import { eventually } from '../support/run/eventually.ts';

let rounds: RoundFixture;
let mint: string;

beforeAll(async () => {
  rounds = createRoundFixture(await openDatabase(), createTestClock());
});

beforeEach(async () => {
  await rounds.at(0);
  mint = await rounds.launch();
  await rounds.trade(mint, 0, '1');
});

async function statusOf(id: string): Promise<string> {
  const [row] = await rounds.db<{ status: string }[]>`select status from prediction_rounds where id = ${id}`;
  return row?.status ?? 'gone';
}

interface RoundEvent {
  name: EventName | null;
  data: { status: string; participantCount: number; lockedAt: string | null; settledAt: string | null };
}

async function eventsOf(id: string): Promise<RoundEvent[]> {
  const rows = await rounds.db<{ type: string; body: string; accountId: string | null }[]>`
    select type, body, account_id from events where subject = ${id} order by recorded_in, id`;
  expect(rows.every(({ accountId }) => accountId === null)).toBe(true);
  return rows.map(({ type, body }) => ({ name: eventName(type), data: JSON.parse(body).data }));
}

const namesOf = async (id: string) => (await eventsOf(id)).map(({ name }) => name?.split('.')[1]);

const voidNow = (id: string) =>
  rounds.db.begin((transaction) => voidRound(transaction, rounds.context.outbox, rounds.clock, id));

describe('the life of a round', () => {
  test('follows its times: nothing a millisecond early, each step with its event', async () => {
    const id = await rounds.plan(mint);
    const before = 1 / MINUTE_MS;
    await rounds.at(1 - before);
    expect(await statusOf(id)).toBe('scheduled');
    await rounds.at(1);
    expect(await statusOf(id)).toBe('open');
    await rounds.insertPrediction(id, '1');
    await rounds.at(2 - before);
    expect(await statusOf(id)).toBe('open');
    await rounds.at(2);
    expect(await statusOf(id)).toBe('locked');
    await rounds.at(3 - before);
    expect(await statusOf(id)).toBe('locked');
    await rounds.at(3);
    expect(await statusOf(id)).toBe('settled');
    expect(await namesOf(id)).toEqual(['opened', 'locked', 'settled']);
  });

  test('runs through everything it missed, in order, each step with its event', async () => {
    const id = await rounds.plan(mint);
    await rounds.at(500);
    const events = await eventsOf(id);
    expect(events.map(({ data }) => data.status)).toEqual(['open', 'locked', 'settled']);
    for (const { name, data } of events)
      expect(name !== null && Value.Check(documentedEvents[name].schema, data)).toBe(true);
  });

  test('never goes back when the clock does', async () => {
    const id = await rounds.plan(mint);
    await rounds.at(2);
    await rounds.at(-60);
    expect(await statusOf(id)).toBe('locked');
    await rounds.at(3);
    expect(await statusOf(id)).toBe('settled');
    expect(await namesOf(id)).toEqual(['opened', 'locked', 'settled']);
  });

  test('is unchanged when the clock is set back between finding the round due and locking its row', async () => {
    const id = await rounds.plan(mint);
    await rounds.at(1);
    rounds.clock.advance(MINUTE_MS);
    const [due] = (await findDueRounds(rounds.db, rounds.clock.now(), 10)).filter((round) => round.id === id);
    rounds.clock.advance(-10 * MINUTE_MS);
    if (due === undefined) throw new Error('the round is not due');
    expect(await advanceRound(rounds.context, due)).toBe(true);
    const [row] =
      await rounds.db`select locked_at = locks_at as on_time from prediction_rounds where id = ${id}`;
    expect(row).toEqual({ onTime: true });
  });

  test('is made once by several workers, whatever is due at the same time', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 30; count += 1) ids.push(await rounds.plan(mint));
    rounds.clock.advance(10 * MINUTE_MS);
    const worker = async () => {
      while (
        (await advanceDueRounds(rounds.context, silentLog)) ||
        (await settleDueRounds(rounds.context, silentLog))
      );
    };
    await Promise.all([worker(), worker(), worker()]);
    await rounds.work();
    for (const id of ids) expect(await namesOf(id)).toEqual(['opened', 'locked', 'settled']);
  });

  test('goes on beside a round that cannot be changed', async () => {
    const stuck = await rounds.plan(mint);
    const id = await rounds.plan(mint);
    await rounds.at(0);
    await rounds.db.begin(async (transaction) => {
      await transaction`select from prediction_rounds where id = ${stuck} for update`;
      await rounds.at(1);
      expect(await statusOf(id)).toBe('open');
    });
    expect(await statusOf(stuck)).toBe('scheduled');
    await rounds.work();
    expect(await statusOf(stuck)).toBe('open');
  });

  test('of a hidden token goes on without events', async () => {
    const id = await rounds.plan(mint);
    await rounds.db`update tokens set hidden = true where mint_address = ${mint}`;
    await rounds.at(3);
    expect(await statusOf(id)).toBe('settled');
    expect(await eventsOf(id)).toEqual([]);
  });

  test('is driven by the job, which hints at what it changed and ends when it is asked to', async () => {
    const id = await rounds.plan(mint);
    rounds.clock.advance(3 * MINUTE_MS);
    await rounds.prove(mint, new Date(rounds.clock.now().getTime() + 1));
    const hinted = { rounds: 0, events: 0 };
    const context = {
      ...rounds.context,
      onRoundsChanged: () => {
        hinted.rounds += 1;
      },
      outbox: createOutbox({ source: 'https://api.test', docsUrl: 'https://api.test' }, rounds.clock, {
        sendHint: () => {
          hinted.events += 1;
        },
      }),
    };
    const stop = new AbortController();
    const dueWork = startDueWork(context.db, stop.signal, context.clock);
    const jobs = predictionWorker.jobs({
      ...context,
      decisiveClock: context.clock,
      predictionProofWaitMs: context.proofWaitMs,
      log: silentLog,
    });
    const running = jobs.map((job) => runTestJob(job, { dueWork, signal: stop.signal }));
    await eventually('settled', async () => (await statusOf(id)) === 'settled');
    stop.abort();
    await Promise.all(running);
    expect(hinted.rounds).toBeGreaterThanOrEqual(4);
    expect(hinted.events).toBeGreaterThanOrEqual(3);
  });
});

describe('the lock', () => {
  test('waits for submissions that are under way and counts them; later ones find the round closed', async () => {
    const id = await rounds.plan(mint);
    await rounds.at(1);
    await rounds.db`insert into accounts (id, created_at) values (${Bun.randomUUIDv7()}, now())`;
    const submission = await holdLocks(rounds.db, async (transaction) => {
      expect(await holdOpenRound(transaction, id, rounds.clock.now())).toBe(true);
      await transaction`
        insert into predictions (id, round_id, account_id, wallet_address, username, predicted_price_in_sol, status,
          evaluation_slot, balance_raw, submitted_at)
        select ${Bun.randomUUIDv7()}, ${id}, id, 'late', 'u', 1, 'accepted', 1, 1, ${rounds.clock.now()}
        from accounts limit 1`;
    });
    rounds.clock.advance(MINUTE_MS);
    const lock = advanceDueRounds(rounds.context, silentLog);
    await submission.untilBlocked('the lock waits');
    expect(await statusOf(id)).toBe('open');
    // Past `locksAt` nothing takes the round any more, so the lock cannot be kept waiting.
    await rounds.db.begin(async (transaction) => {
      expect(await holdOpenRound(transaction, id, rounds.clock.now())).toBe(false);
    });
    await submission.commit();
    await lock;
    const [row] = await rounds.db`
      select status, locked_participant_count from prediction_rounds where id = ${id}`;
    expect(row).toEqual({ status: 'locked', lockedParticipantCount: 1 });
    await rounds.db.begin(async (transaction) => {
      const early = new Date(rounds.clock.now().getTime() - 10 * MINUTE_MS);
      expect(await holdOpenRound(transaction, id, early)).toBe(false);
    });
  });

  test('keeps its count, and the events of a round hold no predicted price', async () => {
    const id = await rounds.plan(mint);
    await rounds.at(1);
    for (const price of ['0.123456789', '77.7']) await rounds.insertPrediction(id, price);
    await rounds.at(3);
    const events = await eventsOf(id);
    expect(events.map(({ data }) => data.participantCount)).toEqual([0, 2, 2]);
    const text = JSON.stringify(events);
    for (const secret of ['0.123456789', '77.7', 'someone']) expect(text).not.toContain(secret);
  });
});

describe('voiding', () => {
  test.each([
    ['scheduled', 0],
    ['open', 1],
    ['locked', 2],
  ])('ends a %s round for good, with all its predictions and one event', async (status, minutes) => {
    const id = await rounds.plan(mint);
    await rounds.at(minutes);
    expect(await statusOf(id)).toBe(status);
    const prediction = await rounds.insertPrediction(id, '1');
    expect(await voidNow(id)).toMatchObject({ status: 'voided' });
    await expect(voidNow(id)).rejects.toMatchObject({ reason: 'conflict' });
    await rounds.at(10);
    expect(await statusOf(id)).toBe('voided');
    const [row] = await rounds.db`select status from predictions where id = ${prediction}`;
    expect(row).toEqual({ status: 'voided' });
    expect((await namesOf(id)).filter((name) => name === 'voided')).toHaveLength(1);
    const last = (await eventsOf(id)).at(-1);
    expect(Value.Check(documentedEvents['prediction_round.voided'].schema, last?.data)).toBe(true);
  });

  test('changes nothing once a round is settled, or unknown', async () => {
    const id = await rounds.plan(mint);
    await rounds.at(3);
    await expect(voidNow(id)).rejects.toMatchObject({ reason: 'conflict' });
    expect(await statusOf(id)).toBe('settled');
    await expect(voidNow(crypto.randomUUID())).rejects.toMatchObject({ reason: 'unknown' });
  });

  test('and settling at the same moment: the first one wins, the other is refused, and predictions follow', async () => {
    for (const first of ['either', 'either', 'either', 'settled', 'voided']) {
      await rounds.at(0);
      const id = await rounds.plan(mint);
      await rounds.at(1);
      const prediction = await rounds.insertPrediction(id, '1');
      await rounds.at(2);
      rounds.clock.advance(MINUTE_MS);
      if (first === 'settled') await rounds.work();
      const voided = voidNow(id).then(
        () => 'voided',
        (refusal) => refusal.reason,
      );
      if (first === 'voided') await voided;
      await rounds.work();
      const outcome = await voided;
      // The worker passes over a round that is held.
      await rounds.work();
      const status = await statusOf(id);
      expect(first === 'either' ? ['settled', 'voided'] : [first]).toContain(status);
      expect(outcome).toBe(status === 'voided' ? 'voided' : 'conflict');
      const [row] = await rounds.db`select status from predictions where id = ${prediction}`;
      expect(row).toEqual({ status });
    }
  });
});
