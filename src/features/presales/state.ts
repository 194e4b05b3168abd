import type { EventName } from '../../shared/events/catalogue.ts';
import type { PresaleStatus } from './record.ts';

/**
 * Time in `settling` for deposits made before the deadline and delivered late. Shorter than the 48 s for
 * which the ingest tries again, so that a refund or claim reported right after the deadline is not lost.
 */
export const SETTLING_GRACE_MS = 5_000;

/** Columns that decide when a presale moves to another status. */
export interface PresaleState {
  status: PresaleStatus;
  publicStartAt: Date;
  deadline: Date;
  /** When it stopped taking new deposits; null before. */
  settlingAt: Date | null;
  minCapLamports: bigint;
  maxCapLamports: bigint;
  totalDepositedLamports: bigint;
  totalRefundedLamports: bigint;
}

export interface Transition {
  from: PresaleStatus;
  to: PresaleStatus;
  /** Sent in the transaction of the transition (contract/events#catalogue). */
  event: EventName | null;
  isDue(presale: PresaleState, now: Date): boolean;
}

/**
 * The automatic transitions of presales (contract/presales#transitions). Only an operator moves a draft to
 * `initializing`.
 */
export const transitions: readonly Transition[] = [
  {
    from: 'initializing',
    to: 'active',
    event: 'presale.opened',
    isDue: ({ publicStartAt }, now) => publicStartAt <= now,
  },
  {
    from: 'active',
    to: 'settling',
    event: null,
    isDue: (presale, now) => presale.deadline <= now || isFull(presale),
  },
  {
    from: 'settling',
    to: 'settled',
    event: 'presale.settled',
    isDue: (presale, now) => isCounted(presale, now) && isFunded(presale),
  },
  {
    from: 'settling',
    to: 'refunding',
    event: null,
    isDue: (presale, now) => isCounted(presale, now) && !isFunded(presale),
  },
  {
    from: 'refunding',
    to: 'failed',
    event: 'presale.failed',
    isDue: (presale) => presale.totalRefundedLamports === presale.totalDepositedLamports,
  },
];

/** Returns the transition that is due now, or null. */
export function dueTransition(presale: PresaleState, now: Date): Transition | null {
  return transitions.find(({ from, isDue }) => from === presale.status && isDue(presale, now)) ?? null;
}

function isFull({ totalDepositedLamports, maxCapLamports }: PresaleState): boolean {
  return totalDepositedLamports === maxCapLamports;
}

function isFunded({ totalDepositedLamports, minCapLamports }: PresaleState): boolean {
  return totalDepositedLamports >= minCapLamports;
}

/** No further deposit is possible: the presale is full, or the grace period is over. */
function isCounted(presale: PresaleState, now: Date): boolean {
  if (isFull(presale)) return true;
  return presale.settlingAt !== null && presale.settlingAt.getTime() + SETTLING_GRACE_MS <= now.getTime();
}
