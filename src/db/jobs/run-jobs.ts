import type { NatsConnection } from '@nats-io/transport-node';
import { wakeOnHint } from '../../shared/bus/wake-on-hint.ts';
import type { Logger } from '../../shared/log.ts';
import { runLoop, Wakeup } from '../../shared/loop.ts';
import { runTogether } from '../../shared/run-together.ts';
import { DUE_FALLBACK_MS, type DueWork } from './due-work.ts';
import type { Job, StepJob } from './job.ts';

export interface JobContext {
  connection: NatsConnection;
  dueWork: Pick<DueWork, 'watch'>;
  log: Logger;
  signal: AbortSignal;
}

/**
 * Runs every job until the signal aborts, then waits for work in progress. Rejects when a job fails, after
 * stopping the others: a worker that does only part of its work must not go unnoticed.
 */
export async function runJobs(jobs: readonly Job[], context: JobContext): Promise<void> {
  await runTogether(context.signal, (signal) =>
    jobs.map(async (job) => {
      try {
        await runJob(job, { ...context, signal });
        if (!signal.aborted) throw new Error('the loop ended by itself');
      } catch (cause) {
        throw new Error(`job ${job.name} failed`, { cause });
      }
    }),
  );
}

/** Runs one job until the signal aborts, then waits for its work in progress. */
export async function runJob(job: Job, context: JobContext): Promise<void> {
  if ('run' in job) await job.run(context.signal);
  else await runSteps(job, context);
}

async function runSteps(job: StepJob, { connection, dueWork, log, signal }: JobContext): Promise<void> {
  const { name, isDue, wakesOn = [], wakeup = new Wakeup(), everyMs = DUE_FALLBACK_MS } = job;
  const { longestPauseMs, step, finish } = job;
  const leave = wakesOn.map((hint) => wakeOnHint(connection, hint, wakeup));
  if (isDue !== undefined) leave.push(dueWork.watch(isDue, wakeup));
  const pause = longestPauseMs === undefined ? {} : { longestPauseMs };
  await runLoop({ name, log, signal, wakeup, idleMs: everyMs, ...pause, step });
  for (const end of leave) end();
  await finish?.();
}
