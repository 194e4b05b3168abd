import type { WorkerDoor } from '../../db/jobs/job.ts';
import { hints } from '../../shared/bus/topology.ts';
import type { Clock } from '../../shared/clock.ts';
import { advancePresales, isPresaleDue, type PresaleContext } from './advance-presales.ts';
import { recordMovements } from './record-movements.ts';

const BATCH_MAX = 100;

export interface PresaleJobDependencies extends Omit<PresaleContext, 'clock'> {
  decisiveClock: Clock;
}

export const presaleWorker = {
  open: () => ({ recordMovements }),
  jobs({ decisiveClock, ...dependencies }: PresaleJobDependencies) {
    const context = { ...dependencies, clock: decisiveClock };
    return [
      {
        // Within 1 s of the times of a presale (contract/presales#timing), and at the hint of a deposit, which may
        // have filled it, or of a refund, which may have been its last.
        name: 'presales',
        isDue: isPresaleDue,
        wakesOn: [hints.presaleChanged],
        step: async () => (await advancePresales(context, BATCH_MAX)) > 0,
      },
    ];
  },
} satisfies WorkerDoor;
