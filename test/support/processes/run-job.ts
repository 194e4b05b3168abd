import type { Job } from '../../../src/db/jobs/job.ts';
import { type JobContext, runJob } from '../../../src/db/jobs/run-jobs.ts';
import { silentLog } from './worker-context.ts';

type TestJobContext = Pick<JobContext, 'signal'> & Partial<JobContext>;

/** Runs a job of the worker until the signal aborts; by its own pauses alone where due work and hints are left out. */
export function runTestJob(job: Job, { connection, ...context }: TestJobContext): Promise<void> {
  const rest = { dueWork: { watch: () => () => {} }, log: silentLog, ...context };
  if (connection !== undefined) return runJob(job, { ...rest, connection });
  const alone = 'step' in job ? { ...job, wakesOn: [] } : job;
  return runJob(alone, { ...rest, connection: undefined as never });
}
