import type { DecodedTransaction, Migration, PoolFact, SkipReason } from './decoded-transaction.ts';
import type { EmittedEvent } from './emitted-events.ts';
import type { TokenPool } from './known-pools.ts';

export { WRAPPED_SOL_MINT } from '../../chain/accounts/programs.ts';

/** An event that names a known pool. */
export interface PoolEvent {
  name: string;
  event: EmittedEvent;
  pool: TokenPool;
  /** The caller asked for this pool; otherwise it is one that a migration in the transaction leads to. */
  isAskedFor: boolean;
  /** What every fact of this event begins with. */
  fact: PoolFact & { innerIndex: number };
  /** Events of the same top-level instruction. */
  siblings: readonly EmittedEvent[];
  /** The migration that it is a part of: then it is no act of a user. */
  migration: Migration | null;
  /** Owner of a token account that the transaction touched. */
  ownerOf(account: string): string | null;
}

/** Adds the facts of the event to `decoded`, or returns why it cannot; null also where another event has the same facts. */
export type EventReader = (found: PoolEvent, decoded: DecodedTransaction) => SkipReason | null;

/** The account of the emitting instruction at a position. */
export function accountOf({ event }: PoolEvent, position: number): string | undefined {
  return event.emitter.accounts[position];
}

/** The last second that a Date can hold. */
const LAST_SECOND = 8_640_000_000_000n;

/** Null for a time that cannot be: no node would send it, but a garbled event may hold it. */
export function toDate(seconds: bigint | null): Date | null {
  return seconds === null || seconds > LAST_SECOND ? null : new Date(Number(seconds) * 1_000);
}
