import type { TransactionError } from './transaction-error.ts';

/** One change of the chain's state: a landed transaction with what it wrote, or accounts that were set directly. */
export interface LedgerChange {
  readonly slot: bigint;
  /** Null when accounts were set directly. */
  readonly transaction: LandedTransaction | null;
  /** Accounts that may differ now. */
  readonly accounts: readonly string[];
}

export interface LandedTransaction {
  readonly signature: string;
  readonly err: TransactionError | null;
  readonly logs: readonly string[];
  /** Every account of the transaction, loaded ones included. */
  readonly accountKeys: readonly string[];
}

/** Gets every change and every new slot, synchronously and in order. */
export interface LedgerListener {
  changed(change: LedgerChange): void;
  /** The blocks after this slot are gone. The next slot follows. */
  forked(parentSlot: bigint): void;
  /** The ledger's slot moved on, by one or more. */
  slotEntered(): void;
}
