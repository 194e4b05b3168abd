import type { Database, Transaction } from '../../../db/client.ts';
import type { Outbox } from '../../../outbox/append.ts';
import type { Clock } from '../../../shared/clock.ts';
import { moveRound } from './move-round.ts';
import { type TimedStatus, timedTransitions } from './state.ts';

/** Dependencies of the worker's changes of rounds. `onRoundsChanged` runs after a commit and never throws. */
export interface RoundContext {
  db: Database;
  outbox: Outbox;
  clock: Clock;
  /**
   * Longest time after `settlesAt` that a round waits for the proof that its token's source is read past it.
   */
  proofWaitMs: number;
  onRoundsChanged(): void;
}

/** A round whose transition is due, with its status. */
export interface DueRound {
  id: string;
  status: TimedStatus;
}

/** SQL: true when `findDueRounds` has a result at `now`. */
export function isRoundDue(db: Database, now: Date): ReturnType<Database> {
  return db`exists (${dueRounds(db, now, 1)})`;
}

/** Finds rounds that have to open, lock or begin to settle at `now`, the most overdue first. */
export function findDueRounds(db: Database, now: Date, limit: number): Promise<DueRound[]> {
  return db<DueRound[]>`${dueRounds(db, now, limit)}`;
}

function dueRounds(db: Database, now: Date, limit: number): ReturnType<Database> {
  return db`
    select id, status from (
      (select id, status, opens_at as due_at from prediction_rounds
        where status = 'scheduled' and opens_at <= ${now} order by opens_at limit ${limit})
      union all
      (select id, status, locks_at from prediction_rounds
        where status = 'open' and locks_at <= ${now} order by locks_at limit ${limit})
      union all
      (select id, status, settles_at from prediction_rounds
        where status = 'locked' and settles_at <= ${now} order by settles_at limit ${limit})
    ) due order by due_at limit ${limit}`;
}

/**
 * Makes one due transition: transition and event are one transaction. False when another worker was first. A
 * round that is late by several transitions is found due again after each.
 */
export async function advanceRound(context: RoundContext, { id, status }: DueRound): Promise<boolean> {
  const { db, outbox, clock } = context;
  const { to } = timedTransitions[status];
  const round = await db.begin(async (transaction) => {
    const dueAt = await holdRound(transaction, id, status);
    if (dueAt === null) return null;
    // A clock that was set back in between must not date a transition before its due time.
    const at = new Date(Math.max(clock.now().getTime(), dueAt.getTime()));
    const outcome =
      to === 'locked'
        ? { lockedAt: at, lockedParticipantCount: await countPredictions(transaction, id) }
        : undefined;
    return moveRound(transaction, outbox, { roundId: id, from: status, to, at, ...(outcome && { outcome }) });
  });
  if (round === null) return false;
  context.onRoundsChanged();
  return true;
}

/**
 * Holds the row for the rest of the transaction; null when another worker has it or was first. The lock
 * transition waits for the row: submissions hold it `for share` and must be counted, and past `locksAt` no
 * new one takes it.
 */
async function holdRound(transaction: Transaction, id: string, status: TimedStatus): Promise<Date | null> {
  const { dueAt } = timedTransitions[status];
  const [row] = await transaction<{ opensAt: Date; locksAt: Date; settlesAt: Date }[]>`
    select opens_at, locks_at, settles_at from prediction_rounds where id = ${id} and status = ${status}
    for update ${status === 'open' ? transaction`` : transaction`skip locked`}`;
  return row?.[dueAt] ?? null;
}

/** A statement of its own, after the row is held: it sees every accepted submission. */
async function countPredictions(transaction: Transaction, roundId: string): Promise<number> {
  const [row] = await transaction<{ count: number }[]>`
    select count(*)::int as count from predictions where round_id = ${roundId}`;
  return row?.count ?? 0;
}
