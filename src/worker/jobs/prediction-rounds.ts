import {
  advanceRound,
  findDueRounds,
  isRoundDue,
  type RoundContext,
} from '../../features/predictions/rounds/advance-round.ts';
import {
  findSettlingRounds,
  isRoundSettling,
  settleRound,
} from '../../features/predictions/rounds/settle-round.ts';
import type { Logger } from '../../shared/log.ts';
import { runLoop, Wakeup } from '../../shared/loop.ts';
import { DUE_FALLBACK_MS, type DueWork } from './due-work.ts';

const BATCH_MAX = 100;
/** Concurrent rounds: opening and locking take milliseconds, settling 100,000 predictions takes seconds. */
const ADVANCING_MAX = 3;
const SETTLING_MAX = 2;

export interface PredictionRoundsJobDependencies {
  context: RoundContext;
  dueWork: DueWork;
  log: Logger;
  signal: AbortSignal;
}

/**
 * Opens, locks and settles rounds within a second of their time (contract/predictions#round-transitions) until the signal
 * aborts. Two loops, so that a large settlement never
 * delays the lock of another round.
 */
export async function runPredictionRounds({
  context,
  dueWork,
  log,
  signal,
}: PredictionRoundsJobDependencies): Promise<void> {
  const options = { log, signal, idleMs: DUE_FALLBACK_MS };
  const [due, settling] = [new Wakeup(), new Wakeup()];
  const unwatch = [
    dueWork.watch(isRoundDue, due),
    dueWork.watch((db, now) => isRoundSettling(db, now, context.proofWaitMs), settling),
  ];
  await Promise.all([
    runLoop({
      ...options,
      name: 'prediction-rounds',
      wakeup: due,
      step: () => advanceDueRounds(context, log),
    }),
    runLoop({
      ...options,
      name: 'prediction-settlement',
      wakeup: settling,
      step: () => settleDueRounds(context, log),
    }),
  ]);
  for (const end of unwatch) end();
}

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
  const lanes = Array.from({ length: concurrency }, async () => {
    for (const item of queue) if (await work(item)) isAnyDone = true;
  });
  await Promise.all(lanes);
  return isAnyDone;
}
