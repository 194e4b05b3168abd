import type { Hint } from '../../shared/bus/topology.ts';
import type { LoopOptions, Wakeup } from '../../shared/loop.ts';
import type { Database } from '../client.ts';

/** SQL, a boolean: there is work at `now`. */
export type DueCondition = (db: Database, now: Date) => ReturnType<Database>;

/** A loop of the worker whose steps are bounded pieces of work. `run-jobs.ts` runs it. */
export interface StepJob extends Pick<LoopOptions, 'longestPauseMs' | 'step'> {
  /** In logs and metrics. */
  name: string;
  /** Begins a step while there is work. One statement asks this for all jobs. */
  isDue?: DueCondition;
  /** Hints that begin a step. */
  wakesOn?: readonly Hint[];
  /** Begins a step when another part of the process wakes it. */
  wakeup?: Wakeup;
  /** Pause after a step that found nothing to do. Default: 5 s, for jobs that `isDue` begins. */
  everyMs?: number;
  /** Called after the last step: resolves when the work that has begun is over. */
  finish?(): Promise<unknown>;
}

/** A loop of the worker that has its own shape. */
export interface LoopJob {
  name: string;
  /** Runs until the signal aborts, then finishes the work in progress. */
  run(signal: AbortSignal): Promise<unknown>;
}

export type Job = StepJob | LoopJob;

/** Deletes or erases what is expired, a batch at a time. */
export interface Sweep {
  /** The most that a call deletes. A call that reaches it is followed by another at once. */
  batchMax: number;
  sweep(now: Date, batchMax: number): Promise<number>;
}

/** What a room of the house gives to the worker. */
export interface WorkerDoor<Context = never> {
  /** What other rooms may use, made once from what the process has. */
  open?(context: Context): object;
  jobs?(context: Context): readonly Job[];
  /** For the job `retention`. */
  sweeps?(context: Context): readonly Sweep[];
}
