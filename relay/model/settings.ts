import { publishedLimits } from '../../src/shared/contract-limits.ts';

/** Constants of the relay; its public configuration is in src/config/load.ts. Tests shorten the times. */
export interface RelaySettings {
  /** One attempt, over DNS, connect, TLS, send, headers, body and every hop (contract/delivery#deadline). */
  attemptDeadlineMs: number;
  /** How long a claimed delivery belongs to its relay. */
  leaseMs: number;
  /** How long an event belongs to its relay before its deliveries have rows; renewed until then. */
  eventLeaseMs: number;
  /** A first attempt that takes longer gets its delivery's row before it ends. */
  quickMs: number;
  /** A longer attempt makes its endpoint a stalled one (endpoints/slots.ts). */
  stallMs: number;
  /** Most attempts in flight in this process. */
  slots: number;
  /** Most deliveries of one claim. */
  claimBatch: number;
  /** Longest pause between two claims; endpoints/endpoint-backlogs.ts ends it when something is due. */
  claimIdleMs: number;
  /** Pause between checks for expired leases, inactive endpoints and failing endpoints. */
  sweepMs: number;
  /** Pause between queries for events that were not fanned out. */
  reconcileMs: number;
  /** The reconcilers ignore younger events, which are still on their way through the broker. */
  reconcileAgeMs: number;
  /** How far back events are compared with their deliveries. */
  compareWindowMs: number;
  /** Pause between two such comparisons. */
  compareMs: number;
}

/**
 * A claim may wait 2 s for its slot (retry/claim-windows.ts). The other 8 s are for writing its result, before another
 * relay may take the delivery over.
 */
const LEASE_MARGIN_MS = 10_000;
const LEASE_MS_MIN = 20_000;

export const defaultSettings: RelaySettings = {
  attemptDeadlineMs: publishedLimits.webhookDeadlineSeconds * 1000,
  leaseMs: 20_000,
  eventLeaseMs: 20_000,
  quickMs: 250,
  stallMs: 2_000,
  slots: 2_048,
  claimBatch: 256,
  claimIdleMs: 5_000,
  sweepMs: 1_000,
  reconcileMs: 2_000,
  reconcileAgeMs: 5_000,
  compareWindowMs: 6 * 60 * 60 * 1000,
  compareMs: 60_000,
};

/**
 * Throws RangeError on settings with which two relays could send one delivery at the same time: a lease outlasts the
 * deadline by the margin and is not shorter than 20 s.
 */
export function assertSafeSettings({ attemptDeadlineMs, leaseMs, slots }: RelaySettings): void {
  if (leaseMs < Math.max(LEASE_MS_MIN, attemptDeadlineMs + LEASE_MARGIN_MS)) {
    throw new RangeError(`a lease of ${leaseMs} ms is too short for a deadline of ${attemptDeadlineMs} ms`);
  }
  if (slots < 4) throw new RangeError('at least 4 slots');
}
