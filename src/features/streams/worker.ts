import type { Database } from '../../db/client.ts';
import type { WorkerDoor } from '../../db/jobs/job.ts';
import { deleteOldEntries } from './log/delete-old-entries.ts';

/** A batch takes 20 ms. */
const ENTRIES_MAX = 10_000;

export const streamWorker = {
  sweeps: ({ db }: { db: Database }) => [
    { batchMax: ENTRIES_MAX, sweep: (now, batchMax) => deleteOldEntries(db, now, batchMax) },
  ],
} satisfies WorkerDoor;
