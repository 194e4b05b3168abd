import type { roundStatuses, voidReasons } from '../../../db/values/predictions.ts';
import type { EventName } from '../../../shared/events/catalogue.ts';

export type RoundStatus = (typeof roundStatuses)[number];
export type VoidReason = (typeof voidReasons)[number];

/**
 * Every transition of a round (contract/predictions#round-transitions) with its event; null for none. No
 * other transition happens.
 */
export const roundTransitions = {
  scheduled: { open: 'prediction_round.opened', voided: 'prediction_round.voided' },
  open: { locked: 'prediction_round.locked', voided: 'prediction_round.voided' },
  locked: { settling: null, voided: 'prediction_round.voided' },
  settling: { settled: 'prediction_round.settled', voided: 'prediction_round.voided' },
  settled: {},
  voided: {},
} as const satisfies Record<RoundStatus, Partial<Record<RoundStatus, EventName | null>>>;

/** The transitions that only time causes; settling ends when its result is stored. */
export const timedTransitions = {
  scheduled: { to: 'open', dueAt: 'opensAt' },
  open: { to: 'locked', dueAt: 'locksAt' },
  locked: { to: 'settling', dueAt: 'settlesAt' },
} as const;
export type TimedStatus = keyof typeof timedTransitions;

/** Returns the event of a transition, null when it sends none; throws when there is no such transition. */
export function transitionEvent(from: RoundStatus, to: RoundStatus): EventName | null {
  const events: Partial<Record<RoundStatus, EventName | null>> = roundTransitions[from];
  const event = events[to];
  if (event === undefined) throw new Error(`a round never goes from ${from} to ${to}`);
  return event;
}

/** True when the status never changes again. */
export function isTerminal(status: RoundStatus): boolean {
  return Object.keys(roundTransitions[status]).length === 0;
}
