import type { Logger } from './log.ts';
import { countLoopFailures } from './loop-failures.ts';
import { LoopPulse } from './loop-pulse.ts';

/** Resolves after `ms`, or immediately when the signal aborts; never rejects, so callers re-check the signal. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}

/** Resolves when the signal aborts, or at once where it has. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** Wakes a waiting loop early, e.g. from a database notification. A wake while the loop works is kept. */
export class Wakeup {
  #pending = false;
  #resolve: (() => void) | undefined;

  wake(): void {
    this.#pending = true;
    this.#resolve?.();
  }

  /** Waits for `wake`, `ms` or the signal, whichever comes first. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.#pending && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', done);
          this.#resolve = undefined;
          resolve();
        };
        const timer = setTimeout(done, ms);
        signal.addEventListener('abort', done, { once: true });
        this.#resolve = done;
      });
    }
    this.#pending = false;
  }
}

export interface LoopOptions {
  name: string;
  log: Logger;
  signal: AbortSignal;
  /** Pause after a step that found nothing to do; a wake-up ends it early. */
  idleMs: number;
  wakeup?: Wakeup;
  /** Pause after many failures; default 5 s. Shorter where a dependency is back within seconds. */
  longestPauseMs?: number;
  /** Called after each failure: true when the loop counts as stalled, which in time ends the process. */
  isStalled?(): Promise<boolean>;
  /**
   * Does one bounded piece of work; true when there may be more right now. A step that waits for work, or
   * does several pieces, reports it to the pulse: a stalled step ends the process (liveness.ts).
   */
  step(signal: AbortSignal, pulse: LoopPulse): Promise<boolean>;
}

const FIRST_BACKOFF_MS = 100;
const LAST_BACKOFF_MS = 5_000;
/** `longestPauseMs` of a loop that needs the broker: a cluster has its next leader within seconds. */
export const BROKER_PAUSE_MS = 1_000;

/**
 * Runs `step` until the signal aborts. A failing step (a dependency is gone) is logged once per streak and
 * retried with growing pauses: the work is in Postgres, so nothing is lost by waiting.
 */
export async function runLoop(options: LoopOptions): Promise<void> {
  const pulse = new LoopPulse(options.name);
  try {
    await repeat(options, pulse);
  } finally {
    pulse.end();
  }
}

async function repeat(
  { name, log, signal, idleMs, wakeup, longestPauseMs = LAST_BACKOFF_MS, isStalled, step }: LoopOptions,
  pulse: LoopPulse,
): Promise<void> {
  const waker = wakeup ?? new Wakeup();
  let failures = 0;
  countLoopFailures(name, 0);
  while (!signal.aborted) {
    try {
      const more = await step(signal, pulse);
      pulse.beat();
      if (failures > 0) log.info({ loop: name, failures }, 'loop.recovered');
      failures = 0;
      if (!more) await pulse.rest(waker.wait(idleMs, signal));
    } catch (err) {
      if (signal.aborted) return;
      failures += 1;
      countLoopFailures(name, 1);
      log[failures === 1 ? 'error' : 'debug']({ loop: name, failures, err }, 'loop.failed');
      const pauseMs = Math.min(longestPauseMs, FIRST_BACKOFF_MS * 2 ** Math.min(failures, 8));
      const pause = wait(pauseMs, signal);
      await ((await isStalled?.()) === true ? pause : pulse.rest(pause));
    }
  }
}
