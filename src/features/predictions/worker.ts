import type { WorkerDoor } from '../../db/jobs/job.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/log.ts';
import { advanceDueRounds, settleDueRounds } from './rounds/advance-due-rounds.ts';
import { isRoundDue, type RoundContext } from './rounds/advance-round.ts';
import { isRoundSettling } from './rounds/settle-round.ts';

export interface PredictionJobDependencies extends Omit<RoundContext, 'clock' | 'proofWaitMs'> {
  decisiveClock: Clock;
  predictionProofWaitMs: number;
  log: Logger;
}

/**
 * Opens, locks and settles rounds within a second of their time (contract/predictions#round-transitions). Two jobs,
 * so that a large settlement never delays the lock of another round.
 */
export const predictionWorker = {
  jobs({
    decisiveClock,
    predictionProofWaitMs: proofWaitMs,
    log,
    ...dependencies
  }: PredictionJobDependencies) {
    const context = { ...dependencies, clock: decisiveClock, proofWaitMs };
    return [
      { name: 'prediction-rounds', isDue: isRoundDue, step: () => advanceDueRounds(context, log) },
      {
        name: 'prediction-settlement',
        isDue: (db, now) => isRoundSettling(db, now, proofWaitMs),
        step: () => settleDueRounds(context, log),
      },
    ];
  },
} satisfies WorkerDoor;
