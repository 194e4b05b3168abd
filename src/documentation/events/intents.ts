import { Type } from '@sinclair/typebox';
import { TransactionIntentSchema } from '../../intents/schema.ts';
import recorded from '../reference/response-examples.json' with { type: 'json' };
import { type DocumentedEvent, EXAMPLE_SIGNATURE } from './documented-event.ts';

const { serializedTransaction: _transaction, ...submitted } = recorded.submitTransactionIntent;
const intent = { ...submitted, transactionSignature: null, completedAt: null };
const { serializedTransaction: _landed, ...landed } = recorded.getTransactionIntent;

const intentRecord = {
  schema: Type.Omit(TransactionIntentSchema, ['serializedTransaction']),
  data: 'The intent as `getTransactionIntent` returns it, without `serializedTransaction`.',
  subject: intent.id,
};

export const intentEvents = {
  'transaction_intent.prepared': {
    ...intentRecord,
    meaning: 'A transaction waits for the signature of your wallet.',
    reaction: 'Read the intent, sign its `serializedTransaction` and submit it before `expiresAt`.',
    example: { ...intent, status: 'prepared', version: 1, submittedAt: null },
  },
  'transaction_intent.submitted': {
    ...intentRecord,
    meaning: 'A signed transaction of your account was accepted and is queued for broadcast.',
    reaction: 'Wait for `confirmed` or `failed`: nothing has landed yet.',
    example: intent,
  },
  'transaction_intent.confirmed': {
    ...intentRecord,
    meaning: 'The transaction has landed and is confirmed.',
    reaction: 'Act on it; explorers find it by `transactionSignature`.',
    example: {
      ...intent,
      status: 'confirmed',
      transactionSignature: EXAMPLE_SIGNATURE,
      finality: 'confirmed',
      version: 3,
      completedAt: intent.expiresAt,
    },
  },
  'transaction_intent.failed': {
    ...intentRecord,
    meaning: 'A submitted transaction has failed, or did not land in time.',
    data: `${intentRecord.data} \`error.code\` says why.`,
    reaction: 'Look the code up in the intent results, then have a fresh intent prepared.',
    example: {
      ...intent,
      status: 'failed',
      transactionSignature: EXAMPLE_SIGNATURE,
      error: {
        code: 'solana_transaction_failed',
        detail: 'The chain reported that the transaction failed.',
      },
      finality: 'confirmed',
      version: 3,
      completedAt: intent.expiresAt,
    },
  },
  'transaction_intent.expired': {
    ...intentRecord,
    meaning: 'An intent was not signed and submitted in time.',
    reaction: 'Have a fresh intent prepared if the transaction is still wanted.',
    example: { ...intent, status: 'expired', submittedAt: null, completedAt: intent.expiresAt },
  },
  'transaction_intent.finalized': {
    ...intentRecord,
    meaning: 'The block of a transaction that landed is final: no fork can drop it any more.',
    data: `${intentRecord.data} \`status\` says whether the transaction succeeded, \`landed\` what it did.`,
    reaction:
      'Book what `landed` shows. It comes when the cluster has finalised the block, seconds after `confirmed` or `failed`.',
    subject: landed.id,
    example: { ...landed, finality: 'finalized', version: 5 },
  },
  'transaction_intent.reverted': {
    ...intentRecord,
    meaning: 'A fork dropped the block of a transaction that had landed: the chain does not have it now.',
    data: `${intentRecord.data} \`status\` stays, \`finality\` is \`reverted\` and \`landed\` is null.`,
    reaction:
      'Take back what you booked. Do not send another one yet: the transaction may land again until the chain is above `lastValidBlockHeight`, and `finalized` follows if it does.',
    subject: landed.id,
    example: { ...landed, landed: null, finality: 'reverted', version: 5 },
  },
} satisfies Record<string, DocumentedEvent>;
