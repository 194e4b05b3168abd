import { wait } from '../../src/shared/loop.ts';
import { type ChildExit, describeExit } from '../services/child-process.ts';
import { elapsed } from '../services/log.ts';
import type { Progress } from './progress.ts';

/** A process of the sandbox, running. */
export interface Member {
  readonly pid: number;
  /** Settles when it has ended, for whatever reason. */
  readonly exited: Promise<ChildExit>;
  stop(): Promise<unknown>;
  kill(): Promise<unknown>;
}

/** What is stopped together; the highest first, so that nobody loses what it works with. */
export const stages = { database: 0, servers: 1, product: 2, inbox: 3, sources: 4 } as const;
type Stage = (typeof stages)[keyof typeof stages];

const FIRST_PAUSE_MS = 250;
const LAST_PAUSE_MS = 10_000;
/** One that has run this long starts again at the shortest pause. */
const STEADY_MS = 30_000;

interface Recruit {
  readonly name: string;
  readonly stage: Stage;
  readonly launch: () => Promise<Member>;
}

/** All processes of the sandbox: started, started again when they die, stopped in order. */
export class Crew {
  readonly #progress: Progress;
  readonly #onChange: () => void;
  readonly #members = new Map<string, { member: Member; stage: Stage }>();
  readonly #launches = new Set<Promise<unknown>>();
  readonly #stopping = new AbortController();

  /** @param onChange called when a process got another pid */
  constructor(progress: Progress, onChange: () => void) {
    this.#progress = progress;
    this.#onChange = onChange;
  }

  /** Aborts when the sandbox is told to stop. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  get pids(): Record<string, number> {
    return Object.fromEntries([...this.#members].map(([name, { member }]) => [name, member.pid]));
  }

  isMember(name: string): boolean {
    return this.#members.has(name);
  }

  /** Starts a process; from then on it is kept running. Rejects when it cannot be started the first time. */
  async start(name: string, stage: Stage, launch: () => Promise<Member>): Promise<void> {
    const recruit = { name, stage, launch };
    void this.#keepRunning(recruit, await this.#enlist(recruit));
  }

  /** Stops everything, the newest work first, and returns when nothing runs any more. `abandon` ends the launches
   * that are still under way. */
  async stop(abandon: () => Promise<unknown>): Promise<void> {
    this.#stopping.abort();
    await abandon();
    await Promise.allSettled(this.#launches);
    for (const stage of Object.values(stages).reverse()) {
      const sameStage = [...this.#members.values()].filter((one) => one.stage === stage);
      await Promise.all(sameStage.map(({ member }) => member.stop()));
    }
    this.#members.clear();
  }

  /** For the impatient: SIGKILL to all. */
  async kill(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#members.values()].map(({ member }) => member.kill()));
  }

  async #enlist({ name, stage, launch }: Recruit): Promise<Member> {
    this.signal.throwIfAborted();
    const launched = launch();
    this.#launches.add(launched);
    try {
      const member = await launched;
      this.#members.set(name, { member, stage });
      this.#onChange();
      return member;
    } finally {
      this.#launches.delete(launched);
    }
  }

  async #keepRunning(recruit: Recruit, first: Member): Promise<void> {
    let member = first;
    let failures = 0;
    while (true) {
      const startedAt = performance.now();
      const exit = await member.exited;
      if (this.signal.aborted) return;
      failures = performance.now() - startedAt > STEADY_MS ? 0 : failures;
      this.#progress.warn(`${recruit.name} ended (${describeExit(exit)}); starting it again`);
      const restarted = await this.#restart(recruit, failures);
      if (restarted === undefined) return;
      ({ member, failures } = restarted);
    }
  }

  async #restart(
    recruit: Recruit,
    failuresBefore: number,
  ): Promise<{ member: Member; failures: number } | undefined> {
    for (let failures = failuresBefore; ; ) {
      await wait(Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 10)), this.signal);
      if (this.signal.aborted) return undefined;
      failures += 1;
      const startedAt = performance.now();
      try {
        const member = await this.#enlist(recruit);
        this.#progress.line(`✓ ${recruit.name} is back (${elapsed(startedAt)})`);
        return { member, failures };
      } catch (error) {
        if (this.signal.aborted) return undefined;
        this.#progress.warn(error instanceof Error ? error.message : String(error));
      }
    }
  }
}
