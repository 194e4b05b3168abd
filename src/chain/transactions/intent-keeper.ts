import type { Transaction } from '../../db/client.ts';
import type { ResponseRecord } from '../../db/idempotency-record.ts';
import type { IntentPolicy } from '../../db/schema/transaction-intents.ts';

/** A transaction that a flow has built and simulated, and that is to wait for a wallet (contract/intents#preparation). */
export interface SimulatedTransaction {
  accountId: string;
  kind: string;
  expectedSigner: string;
  /** Slots of other signers may be filled, the expected signer's must be zero. */
  transaction: Uint8Array;
  policy: IntentPolicy;
  lastValidBlockHeight: bigint;
  expiresInMs: number;
}

/** An intent that has passed every check and is not stored yet; only an `IntentKeeper` makes one. */
export interface ComposedIntent {
  readonly id: string;
  readonly version: number;
  readonly expectedSigner: string;
  readonly recentBlockhash: string;
  readonly lastValidBlockHeight: bigint;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** What keeps the intents, as flows that make them need it. */
export interface IntentKeeper {
  /** @param id chosen by the flow, which may have put it into the bytes. Throws when the bytes could never be submitted. */
  compose(id: string, transaction: SimulatedTransaction): ComposedIntent;
  /** Stores intent and response in one statement. False, and nothing stored, when the idempotency key is not new. */
  storeWithResponse(intent: ComposedIntent, response: ResponseRecord): Promise<boolean>;
  store(sql: Transaction, intent: ComposedIntent): Promise<void>;
}
