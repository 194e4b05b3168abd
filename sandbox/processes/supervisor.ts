import { wait } from '../../src/shared/loop.ts';
import { type ChildExit, describeExit } from '../services/child-process.ts';
import { elapsed } from '../services/log.ts';
import type { Progress } from './progress.ts';

/** A process of the sandbox, running. */
export interface SupervisedProcess {
  readonly pid: number;
  /** Settles when it has ended. */
  readonly exited: Promise<ChildExit>;
  stop(): Promise<unknown>;
  kill(): Promise<unknown>;
}

/** Groups of processes that stop together, the highest first: no process loses a server that it still uses. */
export const stages = { database: 0, servers: 1, product: 2, inbox: 3, sources: 4 } as const;
type Stage = (typeof stages)[keyof typeof stages];

const FIRST_BACKOFF_MS = 250;
const LAST_BACKOFF_MS = 10_000;
/** A process that has run this long is restarted with the shortest backoff. */
const STABLE_AFTER_MS = 30_000;

interface ProcessSpec {
  readonly name: string;
  readonly stage: Stage;
  readonly start: () => Promise<SupervisedProcess>;
}

/** Runs all processes of the sandbox: starts them, restarts those that die, and stops them in order. */
export class Supervisor {
  readonly #progress: Progress;
  readonly #onChange: () => void;
  readonly #running = new Map<string, { process: SupervisedProcess; stage: Stage }>();
  readonly #starting = new Set<Promise<unknown>>();
  readonly #stopping = new AbortController();

  /** @param onChange called when the pid of a process has changed */
  constructor(progress: Progress, onChange: () => void) {
    this.#progress = progress;
    this.#onChange = onChange;
  }

  /** Aborts when the sandbox is being stopped. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  get pids(): Record<string, number> {
    return Object.fromEntries([...this.#running].map(([name, { process }]) => [name, process.pid]));
  }

  isRunning(name: string): boolean {
    return this.#running.has(name);
  }

  /** Starts a process and supervises it from then on. Rejects when the first start fails. */
  async start(name: string, stage: Stage, start: () => Promise<SupervisedProcess>): Promise<void> {
    const spec = { name, stage, start };
    void this.#supervise(spec, await this.#startProcess(spec));
  }

  /** Stops everything, the highest stage first, and returns when nothing runs any more. `cancelStarts` ends the
   * processes that are still starting. */
  async stop(cancelStarts: () => Promise<unknown>): Promise<void> {
    this.#stopping.abort();
    await cancelStarts();
    await Promise.allSettled(this.#starting);
    for (const stage of Object.values(stages).reverse()) {
      const sameStage = [...this.#running.values()].filter((one) => one.stage === stage);
      await Promise.all(sameStage.map(({ process }) => process.stop()));
    }
    this.#running.clear();
  }

  /** SIGKILL to every process, for a second stop request. */
  async kill(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#running.values()].map(({ process }) => process.kill()));
  }

  async #startProcess({ name, stage, start }: ProcessSpec): Promise<SupervisedProcess> {
    this.signal.throwIfAborted();
    const starting = start();
    this.#starting.add(starting);
    try {
      const process = await starting;
      this.#running.set(name, { process, stage });
      this.#reportChange();
      return process;
    } finally {
      this.#starting.delete(starting);
    }
  }

  /** A full disk may prevent the recording of a pid. The process must survive that. */
  #reportChange(): void {
    try {
      this.#onChange();
    } catch (error) {
      this.#progress.warn(error instanceof Error ? error.message : String(error));
    }
  }

  async #supervise(spec: ProcessSpec, first: SupervisedProcess): Promise<void> {
    let process = first;
    let failures = 0;
    while (true) {
      const startedAt = performance.now();
      const exit = await process.exited;
      if (this.signal.aborted) return;
      failures = performance.now() - startedAt > STABLE_AFTER_MS ? 0 : failures;
      this.#progress.warn(`${spec.name} ended (${describeExit(exit)}); restarting it`);
      const restarted = await this.#restart(spec, failures);
      if (restarted === undefined) return;
      ({ process, failures } = restarted);
    }
  }

  async #restart(
    spec: ProcessSpec,
    failuresBefore: number,
  ): Promise<{ process: SupervisedProcess; failures: number } | undefined> {
    for (let failures = failuresBefore; ; ) {
      const backoffMs = Math.min(LAST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(failures, 10));
      await wait(backoffMs, this.signal);
      if (this.signal.aborted) return undefined;
      failures += 1;
      const startedAt = performance.now();
      try {
        const process = await this.#startProcess(spec);
        this.#progress.line(`✓ ${spec.name} restarted (${elapsed(startedAt)})`);
        return { process, failures };
      } catch (error) {
        if (this.signal.aborted) return undefined;
        this.#progress.warn(error instanceof Error ? error.message : String(error));
      }
    }
  }
}
