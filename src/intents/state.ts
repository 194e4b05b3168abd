import type { intentErrorCodes, intentStatuses } from '../db/values/transaction-intents.ts';
import type { EventName } from '../shared/events/catalogue.ts';

export type IntentStatus = (typeof intentStatuses)[number];
export type IntentErrorCode = (typeof intentErrorCodes)[number];

/** Every transition of an intent (contract/intents#transitions), with its event. There are no others. */
export const intentTransitions = {
  prepared: {
    submitted: 'transaction_intent.submitted',
    expired: 'transaction_intent.expired',
  },
  submitted: {
    confirmed: 'transaction_intent.confirmed',
    failed: 'transaction_intent.failed',
  },
  confirmed: {},
  expired: {},
  failed: {},
} as const satisfies Record<IntentStatus, Partial<Record<IntentStatus, EventName>>>;

/** The event of a transition; null when the transition does not exist. */
export function transitionEvent(from: IntentStatus, to: IntentStatus): EventName | null {
  const events: Partial<Record<IntentStatus, EventName>> = intentTransitions[from];
  return events[to] ?? null;
}

export function isTerminal(status: IntentStatus): boolean {
  return Object.keys(intentTransitions[status]).length === 0;
}

/** `error.detail` by result code (contract/intents#result-codes). */
export const intentErrorDetails: Readonly<Record<IntentErrorCode, string>> = {
  solana_transaction_failed: 'The transaction landed and the chain reported that it failed.',
  transaction_intent_invalid_state: 'The stored transaction could not be processed safely.',
  transaction_intent_expired: 'The intent expired before its transaction was seen on chain.',
  transaction_intent_broadcast_exhausted: 'No node accepted the transaction before the intent expired.',
  solana_blockhash_expired: 'The blockhash expired before the transaction landed.',
  solana_signature_mismatch:
    'The blockhash expired; the only node that responded returned the signature of another transaction.',
};
