import type { Database } from '../../db/client.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Logger } from '../../shared/log.ts';
import { runLoop, type Wakeup } from '../../shared/loop.ts';

/** How often it is asked what is due: work that nobody hints at begins this late at most. */
const LOOK_MS = 400;
/** How often a job looks by itself: only while the statement for all of them fails. */
export const DUE_FALLBACK_MS = 5_000;

/** SQL, a boolean: there is something to do at `now`. */
export type DueCondition = (db: Database, now: Date) => ReturnType<Database>;

interface Watch {
  isDue: DueCondition;
  wakeup: Wakeup;
}

/**
 * Asks for all jobs of a process at once whether they have something to do, and wakes those that have. An idle worker made
 * eight times as many statements while each job asked for itself (decision 0039).
 */
export class DueWork {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #watches = new Set<Watch>();

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** From now on `wakeup` is woken at each look that finds something to do. Returns what ends that. */
  watch(isDue: DueCondition, wakeup: Wakeup): () => void {
    const watch = { isDue, wakeup };
    this.#watches.add(watch);
    return () => this.#watches.delete(watch);
  }

  /** Looks until the signal aborts. */
  async run(log: Logger, signal: AbortSignal): Promise<void> {
    await runLoop({
      name: 'due-work',
      log,
      signal,
      idleMs: LOOK_MS,
      step: async () => {
        await this.look();
        return false;
      },
    });
  }

  /** One statement for all. */
  async look(): Promise<void> {
    const watches = [...this.#watches];
    if (watches.length === 0) return;
    const now = this.#clock.now();
    const conditions = watches.map(({ isDue }) => isDue(this.#db, now));
    const [row] = await this.#db<{ due: boolean[] }[]>`select array[${joined(this.#db, conditions)}] as due`;
    for (const [at, { wakeup }] of watches.entries()) if (row?.due[at] === true) wakeup.wake();
  }
}

function joined(db: Database, conditions: readonly ReturnType<Database>[]): ReturnType<Database> {
  return conditions.reduce((all, condition) => db`${all}, ${condition}`);
}
