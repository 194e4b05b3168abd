import type { Database } from '../../db/client.ts';
import type { WorkerDoor } from '../../db/jobs/job.ts';
import {
  advanceLaunches,
  isLaunchPending,
  type LaunchesContext,
  type LaunchTurn,
} from './advance-launches.ts';
import { deleteUnsignedLaunches } from './delete-unsigned-launches.ts';

/** A launch is deleted from several tables. */
const DELETED_MAX = 500;

export const launchWorker = {
  jobs(context: LaunchesContext) {
    const turn: LaunchTurn = { afterId: null };
    return [
      {
        // A token is in the lists, and on its curve, well within 1 s of the outcome of its intent
        // (contract/launches#status).
        name: 'launches',
        isDue: isLaunchPending,
        step: () => advanceLaunches(context, turn),
      },
    ];
  },
  sweeps: ({ db }: { db: Database }) => [
    { batchMax: DELETED_MAX, sweep: (now, batchMax) => deleteUnsignedLaunches(db, now, batchMax) },
  ],
} satisfies WorkerDoor;
