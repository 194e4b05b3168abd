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
  /** Sends a signal to everything that belongs to it. If unset, signals go to its pid. */
  signal?(name: NodeJS.Signals): void;
}

/** Groups of processes that stop together, the highest first: no process loses a server that it still uses. */
export const stages = { database: 0, servers: 1, product: 2, inbox: 3, sources: 4 } as const;
type Stage = (typeof stages)[keyof typeof stages];

const FIRST_BACKOFF_MS = 250;
const LAST_BACKOFF_MS = 10_000;
/** A process that has run this long is restarted with the shortest backoff. */
const STABLE_AFTER_MS = 30_000;
const RELEASE_POLL_MS = 20;

interface Restarted {
  readonly process: SupervisedProcess;
  readonly failures: number;
}

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
  /** Processes that were ended on purpose and are left down. Each promise resolves when its process is released. */
  readonly #held = new Map<string, PromiseWithResolvers<void>>();
  readonly #names = new Set<string>();
  readonly #ends = new Map<string, number>();
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

  /** Every process that was ever started, in that order. */
  get names(): readonly string[] {
    return [...this.#names];
  }

  /** How often it has ended without being asked to. */
  unexpectedEnds(name: string): number {
    return this.#ends.get(name) ?? 0;
  }

  isHeld(name: string): boolean {
    return this.#held.has(name);
  }

  isRunning(name: string): boolean {
    return this.#running.has(name);
  }

  /** Ends a process and leaves it down until it is released. */
  async hold(name: string, how: 'stop' | 'kill'): Promise<void> {
    if (!this.#held.has(name)) this.#held.set(name, Promise.withResolvers());
    const { process } = this.#running.get(name) ?? {};
    if (process === undefined) return;
    // A suspended process would not see the request.
    if (how === 'stop') this.signalTo(name, 'SIGCONT');
    await process[how]();
    await process.exited;
  }

  /** Starts a held process again; resolves when it runs, or when the sandbox is being stopped. */
  async release(name: string): Promise<void> {
    const held = this.#held.get(name);
    if (held === undefined) return;
    this.#held.delete(name);
    held.resolve();
    // One that was held between two attempts to restart it goes on with the next attempt.
    while (!this.isRunning(name) && !this.signal.aborted) await wait(RELEASE_POLL_MS, this.signal);
  }

  /** Sends a signal to a running process. */
  signalTo(name: string, signal: NodeJS.Signals): void {
    const { process: running } = this.#running.get(name) ?? {};
    if (running === undefined) return;
    if (running.signal === undefined) process.kill(running.pid, signal);
    else running.signal(signal);
  }

  /** Starts a process and supervises it from then on. Rejects when the first start fails. */
  async start(name: string, stage: Stage, start: () => Promise<SupervisedProcess>): Promise<void> {
    const spec = { name, stage, start };
    this.#names.add(name);
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
      this.#running.delete(spec.name);
      this.#reportChange();
      const held = this.#held.get(spec.name);
      if (held === undefined) {
        failures = performance.now() - startedAt > STABLE_AFTER_MS ? 0 : failures;
        this.#ends.set(spec.name, this.unexpectedEnds(spec.name) + 1);
        this.#progress.warn(`${spec.name} ended (${describeExit(exit)}); restarting it`);
      }
      const restarted =
        held === undefined ? await this.#restart(spec, failures) : await this.#resume(spec, held);
      if (restarted === undefined) return;
      ({ process, failures } = restarted);
      // It was held while it started.
      if (this.#held.has(spec.name)) void process.kill();
    }
  }

  async #resume(spec: ProcessSpec, held: PromiseWithResolvers<void>): Promise<Restarted | undefined> {
    const stopping = Promise.withResolvers<void>();
    this.signal.addEventListener('abort', () => stopping.resolve(), { once: true });
    await Promise.race([held.promise, stopping.promise]);
    return this.signal.aborted ? undefined : await this.#restart(spec, 0, 0);
  }

  async #restart(
    spec: ProcessSpec,
    failuresBefore: number,
    firstBackoffMs = backoff(failuresBefore),
  ): Promise<Restarted | undefined> {
    for (let failures = failuresBefore, backoffMs = firstBackoffMs; ; backoffMs = backoff(failures)) {
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

function backoff(failures: number): number {
  return Math.min(LAST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(failures, 10));
}
