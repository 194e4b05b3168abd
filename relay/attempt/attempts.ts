import type { EndpointCache } from '../endpoints/endpoint-cache.ts';
import type { FailingEndpoints } from '../endpoints/failing-endpoints.ts';
import type { AttemptResult } from '../model/attempt-result.ts';
import type { Claim } from '../model/claim.ts';
import type { StoredEvent } from '../model/event.ts';
import { logAttempt } from '../telemetry/attempt-log.ts';
import type { Counters } from '../telemetry/counters.ts';
import { type AttemptDependencies, attempt } from './attempt.ts';

export interface AttemptsDependencies extends AttemptDependencies {
  cache: EndpointCache;
  failing: FailingEndpoints;
  counters: Counters;
}

/** An attempt whose result is not written yet. Times are monotonic. */
export interface EndedAttempt {
  result: AttemptResult;
  tookMs: number;
  endedAtMs: number;
  /** To be called when the pause that the response asks for is recorded; null without one. */
  onPauseRecorded: (() => void) | null;
}

/** The two steps that first and later attempts have in common. */
export class Attempts {
  readonly #dependencies: AttemptsDependencies;

  constructor(dependencies: AttemptsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Makes an attempt in a slot, and frees the slot. A pause that the response asks for holds in memory before the
   * database knows it: deliveries that wait must not be sent meanwhile. Never rejects.
   */
  async make(claim: Claim, event: StoredEvent, release: (endMs: number) => void): Promise<EndedAttempt> {
    const startedAtMs = performance.now();
    const result = await attempt(this.#dependencies, claim, event);
    const endedAtMs = performance.now();
    release(endedAtMs);
    const onPauseRecorded = this.#pause(result, endedAtMs);
    return { result, tookMs: endedAtMs - startedAtMs, endedAtMs, onPauseRecorded };
  }

  /**
   * Counts and logs an attempt when its result is written.
   *
   * @param written resolves with whether the result decided its delivery, which is returned
   */
  async settle({ result, onPauseRecorded }: EndedAttempt, written: Promise<boolean>): Promise<boolean> {
    const { failing, counters, log } = this.#dependencies;
    const decided = await written.finally(() => onPauseRecorded?.());
    const { claim, verdict } = result;
    if (!verdict.succeeded && verdict.wasSent) failing.add(claim.endpoint.id, performance.now());
    counters.countAttempt(result, decided);
    logAttempt(log, result, decided);
    return decided;
  }

  #pause({ claim, verdict: { gone, pauseMs } }: AttemptResult, nowMs: number): (() => void) | null {
    if (!gone && pauseMs === null) return null;
    const untilMs = gone ? Number.POSITIVE_INFINITY : nowMs + (pauseMs ?? 0);
    return this.#dependencies.cache.pause(claim.endpoint.id, untilMs);
  }
}
