import type { DecodedTransaction, Migration, PoolFact, SkipReason } from './decoded-transaction.ts';
import type { EmittedEvent } from './emitted-events.ts';
import type { TokenPool } from './known-pools.ts';

export interface PoolEvent {
  name: string;
  event: EmittedEvent;
  pool: TokenPool;
  /** True when the caller asked for this pool. False when a migration in the transaction leads to it. */
  isRequested: boolean;
  /** The first fields of every fact from this event. */
  fact: PoolFact & { innerIndex: number };
  /** The other events of the same top-level instruction. */
  siblings: readonly EmittedEvent[];
  /** The migration to which the event belongs. Such an event is not an act of a user. */
  migration: Migration | null;
  /** Owner of a token account that the transaction touched. */
  ownerOf(account: string): string | null;
}

/**
 * Adds the facts of the event to `decoded`. Returns the reason when it cannot. Null also when another event
 * holds the same facts.
 */
export type EventReader = (found: PoolEvent, decoded: DecodedTransaction) => SkipReason | null;

/** The account of the emitting instruction at a position. */
export function accountOf({ event }: PoolEvent, position: number): string | undefined {
  return event.emitter.accounts[position];
}

/** The last second that a Date can hold. */
const LAST_SECOND = 8_640_000_000_000n;

/** Null for an impossible time. No node sends one, but a malformed event may hold one. */
export function toDate(seconds: bigint | null): Date | null {
  return seconds === null || seconds > LAST_SECOND ? null : new Date(Number(seconds) * 1_000);
}
