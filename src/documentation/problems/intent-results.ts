import type { Static } from '@sinclair/typebox';
import type { TransactionIntentSchema } from '../../intents/schema.ts';

type IntentResultCode = NonNullable<Static<typeof TransactionIntentSchema>['error']>['code'];

export interface ResultExplanation {
  meaning: string;
  action: string;
}

/**
 * `error.code` of a transaction intent (contract/intents#result-codes): the reason why it failed after it was
 * accepted.
 */
export const intentResults: Readonly<Record<IntentResultCode, ResultExplanation>> = {
  solana_transaction_failed: {
    meaning:
      'The transaction landed in a block, and a program in it failed. The fee was paid, and there was no other effect.',
    action:
      'Look `transactionSignature` up in an explorer: its log names the failing instruction, often slippage or too little balance. Have a fresh intent prepared.',
  },
  transaction_intent_invalid_state: {
    meaning:
      'The stored transaction could not be broadcast safely: it broke its policy, or its simulation failed. It was never sent.',
    action: 'Read `error.detail`, remove the cause, and have a fresh intent prepared.',
  },
  transaction_intent_expired: {
    meaning:
      'Confirmation was not seen before the intent expired, or before something else spent its nonce, and no node knows the signature. `error.detail` names the account of such a nonce.',
    action: 'Have a fresh intent prepared. For amounts that matter, look the signature up first.',
  },
  transaction_intent_broadcast_exhausted: {
    meaning:
      'Every attempt to send the transaction to the chain failed until it expired. No node ever accepted it.',
    action:
      'Have a fresh intent prepared. Many of these in a short time point at RPC trouble of the deployment.',
  },
  solana_blockhash_expired: {
    meaning:
      'The transaction was sent, but no block took it before its blockhash expired. It can never land now.',
    action: 'Have a fresh intent prepared, with a higher priority fee when the chain is busy.',
  },
  solana_signature_mismatch: {
    meaning:
      'No node confirmed that it took the transaction, one returned another signature than that of the signed bytes, and the blockhash has expired. It can never land now.',
    action:
      'Have a fresh intent prepared. For amounts that matter, look `transactionSignature` up first, and report the intent id.',
  },
};
