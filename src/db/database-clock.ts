import type { Clock } from '../shared/clock.ts';
import type { Logger } from '../shared/log.ts';
import { runLoop, wait } from '../shared/loop.ts';
import type { Queryable } from './client.ts';

/**
 * Difference between the clocks of this machine and the database at which one counts as wrong. NTP keeps both
 * within a few ms.
 */
export const SKEW_MAX_MS = 5_000;
const MEASURE_EVERY_MS = 5_000;
/** Interval of checks, without a query, whether the machine's clock was set. */
const CHECK_EVERY_MS = 1_000;
/** A jump of this size means that the clock was set or the machine slept: it is measured again at once. */
const SET_MS = 500;
/** Without a measurement for this long, irreversible decisions wait. */
const STALE_MS = 60_000;
/** Largest drift between two clocks; a larger difference contradicts the known offset. */
const DRIFT = 0.0001;
/**
 * Half of a round trip that is good enough. Under load it takes several tries; the first one opens a
 * connection.
 */
const GOOD_ERROR_MS = 5;
const SAMPLES_MAX = 3;
const BEGIN_TIMEOUT_MS = 5_000;

/** The time is unknown: the clocks of the machine and of the database differ. */
export class ClockDisputed extends Error {
  override readonly name = 'ClockDisputed';
}

export interface DatabaseClockDependencies {
  /** Unix time of the database in milliseconds. */
  readDatabaseMs(): Promise<number>;
  log: Logger;
  /** Unix time of this machine, which its operator can set. */
  machineMs?: () => number;
  /** Milliseconds that only grow, from an arbitrary start. */
  steadyMs?: () => number;
}

interface Measurement {
  /** Time of the database minus steady time. */
  offsetMs: number;
  /** Half the round trip, the largest error of the offset. */
  errorMs: number;
  /** Steady time of the measurement. */
  atMs: number;
}

/**
 * The time of the database's clock, without a query: a steady clock and its offset from the database's,
 * measured every 5 s to within half a round trip. All processes share it, so every process and SQL judge a
 * deadline alike; the machine's clock decides nothing (decision 0046). Before the first measurement it is the
 * machine's.
 */
export class DatabaseClock implements Clock {
  readonly #readDatabaseMs: () => Promise<number>;
  readonly #log: Logger;
  readonly #machineMs: () => number;
  readonly #steadyMs: () => number;
  #measurement: Measurement | null = null;
  /** Steady time of the last successful measurement, even if its value was not kept. */
  #measuredAtMs = Number.NEGATIVE_INFINITY;
  /** Machine time minus steady time at that moment. */
  #machineOffsetMs = 0;
  #isDisputeLogged = false;

  constructor({
    readDatabaseMs,
    log,
    machineMs = () => Date.now(),
    steadyMs = () => performance.now(),
  }: DatabaseClockDependencies) {
    this.#readDatabaseMs = readDatabaseMs;
    this.#log = log;
    this.#machineMs = machineMs;
    this.#steadyMs = steadyMs;
  }

  now(): Date {
    const measurement = this.#measurement;
    return new Date(measurement === null ? this.#machineMs() : this.#steadyMs() + measurement.offsetMs);
  }

  /** For irreversible decisions. `now` throws ClockDisputed while no second clock confirms the database's. */
  readonly decisive: Clock = {
    now: () => {
      const reason = this.dispute();
      if (reason !== null) throw new ClockDisputed(reason);
      return this.now();
    },
  };

  /**
   * How far the machine's clock is ahead of the database's, negative when it is late; null until it was
   * measured.
   */
  get skewMs(): number | null {
    if (this.#measurement === null) return null;
    return this.#machineMs() - this.#steadyMs() - this.#measurement.offsetMs;
  }

  /** The reason why this machine does not confirm the time of the database; null when it does. */
  dispute(): string | null {
    const { skewMs } = this;
    if (skewMs === null) return 'the clock of Postgres was not read yet';
    if (Math.abs(skewMs) > SKEW_MAX_MS)
      return 'the clocks of this machine and of Postgres differ by more than 5 s';
    if (this.#steadyMs() - this.#measuredAtMs > STALE_MS)
      return 'the clock of Postgres was not read for 60 s';
    return null;
  }

  /** Makes the first measurement, if the database responds in time. Never rejects. */
  async begin(): Promise<void> {
    const begun = new AbortController();
    const first = this.measure().catch((err: unknown) => this.#log.warn({ err }, 'clock.not_measured'));
    await Promise.race([first, wait(BEGIN_TIMEOUT_MS, begun.signal)]);
    begun.abort();
  }

  /** Measures periodically until the signal aborts, and logs when the clocks differ too much. */
  async run(signal: AbortSignal): Promise<void> {
    await runLoop({
      name: 'database-clock',
      log: this.#log,
      signal,
      idleMs: CHECK_EVERY_MS,
      step: async () => {
        if (this.#isDue()) await this.measure();
        this.#logDispute();
        return false;
      },
    });
  }

  #isDue(): boolean {
    const steadyMs = this.#steadyMs();
    if (steadyMs - this.#measuredAtMs >= MEASURE_EVERY_MS) return true;
    return Math.abs(this.#machineMs() - steadyMs - this.#machineOffsetMs) > SET_MS;
  }

  /** Rejects when the database does not respond; the known offset stays. */
  async measure(): Promise<void> {
    for (let sample = 0; sample < SAMPLES_MAX; sample += 1)
      if ((await this.#sample()) <= GOOD_ERROR_MS) return;
  }

  /** Returns the largest possible error. */
  async #sample(): Promise<number> {
    const sentMs = this.#steadyMs();
    const databaseMs = await this.#readDatabaseMs();
    const receivedMs = this.#steadyMs();
    const errorMs = (receivedMs - sentMs) / 2;
    const offsetMs = databaseMs - (sentMs + errorMs);
    this.#measuredAtMs = receivedMs;
    this.#machineOffsetMs = this.#machineMs() - receivedMs;
    const known = this.#measurement;
    const knownErrorMs = known === null ? 0 : known.errorMs + DRIFT * (receivedMs - known.atMs);
    // A slow round trip is less exact than the known offset, unless the two contradict each other: then the
    // database's clock was set.
    const isPossible = known !== null && Math.abs(offsetMs - known.offsetMs) <= errorMs + knownErrorMs;
    if (!isPossible || errorMs <= knownErrorMs) this.#measurement = { offsetMs, errorMs, atMs: receivedMs };
    return errorMs;
  }

  #logDispute(): void {
    const reason = this.dispute();
    if ((reason !== null) === this.#isDisputeLogged) return;
    this.#isDisputeLogged = reason !== null;
    const { skewMs } = this;
    if (reason === null) this.#log.info({ skewMs }, 'clock.agrees');
    else this.#log.error({ skewMs, reason }, 'clock.disputed');
  }
}

/** The clock of a pool's server. */
export function databaseClock(db: Queryable, log: Logger): DatabaseClock {
  return new DatabaseClock({ readDatabaseMs: () => readDatabaseMs(db), log });
}

async function readDatabaseMs(db: Queryable): Promise<number> {
  const [row] = await db<{ unixMs: number }[]>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as unix_ms`;
  if (row === undefined) throw new Error('the database returned no time');
  return row.unixMs;
}
