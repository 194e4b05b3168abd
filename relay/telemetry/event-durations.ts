import { uuidTime } from '../../src/shared/first-uuid.ts';
import { Durations } from '../../src/shared/metrics/durations.ts';
import type { Claim } from '../model/claim.ts';

const BOUNDS_MS = [50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000, 3_600_000];

/**
 * How long events took to their subscribers, by the outcome of the first attempt, or `deferred` until a delivery got a
 * row that waits for a claim, because its endpoint or the relays were behind. Attempts at deliveries that have a row are
 * left out: their time says when a subscriber was ready.
 */
export class EventDurations {
  readonly durations = new Durations(
    {
      name: 'launchwire_relay_event_delivery_seconds',
      help: 'Time from the recording of an event to the end of its first attempt, by outcome, or to its row where it is deferred',
      label: 'outcome',
      boundsMs: BOUNDS_MS,
    },
    ['succeeded', 'failed', 'deferred'],
  );

  add({ eventId, startedAt }: Claim, succeeded: boolean, tookMs: number | null): void {
    const ms = startedAt.getTime() + (tookMs ?? 0) - uuidTime(eventId).getTime();
    this.durations.observe(succeeded ? 'succeeded' : 'failed', Math.max(0, ms));
  }

  /** Deliveries of an event got rows. */
  addDeferred(eventId: string, deliveries: number, now: Date): void {
    const ms = now.getTime() - uuidTime(eventId).getTime();
    this.durations.observe('deferred', Math.max(0, ms), deliveries);
  }
}
