import type { Transaction } from '../../db/client.ts';
import type { IntentPolicy } from '../../db/values/transaction-intents.ts';
import type { IntentOrigin, RouteAndLevel } from '../composed-intent.ts';

/** A transaction over a durable nonce that its wallet has signed before, to be sent now. */
export interface SignedTransaction extends RouteAndLevel {
  /** Becomes the id of the intent. */
  id: string;
  accountId: string;
  kind: string;
  expectedSigner: string;
  /** The bytes without the signature of the expected signer. */
  prepared: Uint8Array;
  signatureOffset: number;
  /** The bytes to send. */
  signed: Uint8Array;
  /** base58, in the place of a recent blockhash. */
  nonce: string;
  policy: IntentPolicy;
  /** How long it is sent every two seconds; after that once a minute, until the nonce advances. */
  expiresInMs: number;
  origin: IntentOrigin;
}

/** An intent that was stored as `submitted`, to be sent after the commit. */
export interface SubmittedIntent {
  readonly id: string;
}

/** The store of intents and their first send, as flows that send by themselves need them. */
export interface IntentSender {
  /**
   * Stores an intent as `submitted` in the caller's transaction, with its broadcast job and its event. Rejects when
   * another intent has the id or the message.
   */
  store(sql: Transaction, transaction: SignedTransaction): Promise<SubmittedIntent>;
  /** Sends an intent whose transaction has committed. Never throws, and waits for nothing. */
  send(intent: SubmittedIntent): void;
}
