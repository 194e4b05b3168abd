import { familyOf, signalAll } from '../../sandbox/services/process-family.ts';
import { wait } from '../../src/shared/loop.ts';
import type { Controlled } from './deployment.ts';

/** A running process as the nemesis treats it. */
export interface RunningProcess {
  readonly pid: number;
  /** Settles when it ends. If unset, as for servers, nothing restarts it by itself. */
  readonly exited?: Promise<unknown>;
  stop(): Promise<unknown>;
  kill(): Promise<unknown>;
}

const RESTART_AFTER_MS = 300;
/** A process that has never run is launched this often: under load a start may take longer than its limit. */
const FIRST_LAUNCHES_MAX = 3;

/**
 * A process that can be killed, stopped and started again on the same data and address. As under a supervisor, one that
 * ends by itself is started again.
 */
export class ControlledProcess implements Controlled {
  readonly name: string;
  unexpectedExits = 0;
  readonly #launch: () => Promise<RunningProcess>;
  readonly #closing = new AbortController();
  #running: RunningProcess | undefined;
  #starting: Promise<void> | undefined;
  #paused: readonly number[] = [];
  #isWanted = false;
  #hasRun = false;

  constructor(name: string, launch: () => Promise<RunningProcess>) {
    this.name = name;
    this.#launch = launch;
  }

  get pid(): number | undefined {
    return this.#running?.pid;
  }

  /** Starts it, and tries again while it cannot be started. Throws when it has never run and cannot be started. */
  start(): Promise<void> {
    this.#isWanted = true;
    this.#starting ??= this.#startWhileWanted().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async kill(): Promise<void> {
    this.#isWanted = false;
    await this.#starting?.catch(() => {});
    const running = this.#running;
    this.#running = undefined;
    this.#paused = [];
    await running?.kill();
  }

  pause(): void {
    if (this.#running === undefined) return;
    this.#paused = familyOf(this.#running.pid);
    signalAll(this.#paused, 'SIGSTOP');
  }

  resume(): void {
    signalAll([...this.#paused].reverse(), 'SIGCONT');
    this.#paused = [];
  }

  async close(): Promise<void> {
    this.#isWanted = false;
    this.#closing.abort();
    this.resume();
    await this.#starting?.catch(() => {});
    const running = this.#running;
    this.#running = undefined;
    await running?.stop();
  }

  async #startWhileWanted(): Promise<void> {
    for (let launches = 1; this.#isWanted && this.#running === undefined; launches += 1) {
      if (this.#closing.signal.aborted) return;
      try {
        this.#adopt(await this.#launch());
      } catch (error) {
        if (this.#closing.signal.aborted) return;
        if (!this.#hasRun && launches >= FIRST_LAUNCHES_MAX) throw error;
        this.unexpectedExits += 1;
        await wait(RESTART_AFTER_MS, this.#closing.signal);
      }
    }
  }

  #adopt(running: RunningProcess): void {
    this.#running = running;
    this.#hasRun = true;
    void running.exited?.then(async () => {
      if (this.#running !== running) return;
      this.#running = undefined;
      this.unexpectedExits += 1;
      await wait(RESTART_AFTER_MS, this.#closing.signal);
      if (this.#isWanted) await this.start();
    });
  }
}
