import type { Transaction } from '../db/client.ts';
import type { ResponseRecord } from '../db/idempotency-record.ts';
import type {
  IntentPolicy,
  IntentQuote,
  PriorityLevel,
  SendRoute,
} from '../db/values/transaction-intents.ts';
import type { TransactionIntent } from './schema.ts';

/** By which route a transaction is sent, and which level set the price of its priority. */
export interface RouteAndLevel {
  sendRoute: SendRoute;
  /** Null if no level set the price. */
  priorityLevel: PriorityLevel | null;
}

/** Fills in the defaults: the fast route, and no priority level. */
export function routeAndLevel({
  sendRoute = 'fast',
  priorityLevel = null,
}: Partial<RouteAndLevel>): RouteAndLevel {
  return { sendRoute, priorityLevel };
}

/**
 * A transaction that a flow has built and simulated, and that will wait for a wallet
 * (contract/intents#preparation).
 */
export interface SimulatedTransaction extends Partial<RouteAndLevel> {
  accountId: string;
  kind: string;
  expectedSigner: string;
  /** Other signers' slots may be filled. The slot of the expected signer must be zero. */
  transaction: Uint8Array;
  policy: IntentPolicy;
  lastValidBlockHeight: bigint;
  expiresInMs: number;
  origin: IntentOrigin;
}

/** What a flow made a transaction of. */
export interface IntentOrigin {
  /** Null for a transaction of several tokens. */
  mintAddress: string | null;
  launchId: string | null;
  tipLamports: bigint;
  quote: IntentQuote | null;
}

/** An intent that has passed every check and is not stored yet. Only an `IntentKeeper` makes one. */
export interface ComposedIntent {
  readonly id: string;
  readonly version: number;
  readonly expectedSigner: string;
  readonly recentBlockhash: string;
  readonly lastValidBlockHeight: bigint;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** The public record as it is stored: what `getTransactionIntent` returns until the submission. */
  readonly shown: TransactionIntent;
}

/** The store of intents, as flows that make intents need it. */
export interface IntentKeeper {
  /**
   * Throws when the bytes could never be submitted.
   *
   * @param id chosen by the flow, which may have written it into the bytes.
   */
  compose(id: string, transaction: SimulatedTransaction): ComposedIntent;
  /** Stores both in one statement. Returns false and stores nothing when the idempotency key is not new. */
  storeWithResponse(intent: ComposedIntent, response: ResponseRecord): Promise<boolean>;
  store(sql: Transaction, intent: ComposedIntent): Promise<void>;
}
