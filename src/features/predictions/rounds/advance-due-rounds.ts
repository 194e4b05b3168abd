import type { Logger } from '../../../shared/log.ts';
import { advanceRound, findDueRounds, type RoundContext } from './advance-round.ts';
import { findSettlingRounds, settleRound } from './settle-round.ts';

const BATCH_MAX = 100;
/** Concurrent rounds: opening and locking take milliseconds, settling 100,000 predictions takes seconds. */
const ADVANCING_MAX = 3;
const SETTLING_MAX = 2;

/** Makes one transition of every due round. True when it made one: the next may be due already. */
export async function advanceDueRounds(context: RoundContext, log: Logger): Promise<boolean> {
  const due = await findDueRounds(context.db, context.clock.now(), BATCH_MAX);
  return workOff(due, ADVANCING_MAX, (round) => attempt(round.id, () => advanceRound(context, round), log));
}

/**
 * Ends every round whose token's source is proven past its time, or whose wait for the proof is over. True
 * when one ended.
 */
export async function settleDueRounds(context: RoundContext, log: Logger): Promise<boolean> {
  const due = await findSettlingRounds(context, BATCH_MAX);
  return workOff(due, SETTLING_MAX, (id) => attempt(id, () => settleRound(context, id), log));
}

/** A round whose change fails waits for the next step and does not block the others. */
async function attempt(roundId: string, change: () => Promise<boolean>, log: Logger): Promise<boolean> {
  try {
    return await change();
  } catch (err) {
    log.error({ roundId, err }, 'round.failed');
    return false;
  }
}

/** Processes up to `concurrency` items at a time, in order; true when any work was done. */
async function workOff<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<boolean>,
): Promise<boolean> {
  const queue = items.values();
  let isAnyDone = false;
  const workers = Array.from({ length: concurrency }, async () => {
    for (const item of queue) if (await work(item)) isAnyDone = true;
  });
  await Promise.all(workers);
  return isAnyDone;
}
