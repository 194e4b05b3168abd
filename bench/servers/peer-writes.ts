import type { TObject } from '@sinclair/typebox';
import type { Principal } from './peer-database.ts';
import { acceptPrediction, type PredictionRequest, predictionBody } from './peer-prediction.ts';
import { acceptSubmission, submissionBody } from './peer-submission.ts';

/** One write of the contract, as all peers serve it. */
export interface PeerWrite {
  operation: string;
  path: string;
  status: 201 | 202;
  body: TObject;
  /** Code of the 409 when nothing was stored. */
  refusalCode: string;
  /** Stores everything. The response, or null when the write is not acceptable. */
  accept(
    principal: Principal,
    idempotencyKey: string,
    params: Record<string, string>,
    body: unknown,
  ): Promise<{ text: string; headers: Record<string, string> } | null>;
}

export const peerWrites: readonly PeerWrite[] = [
  {
    operation: 'submitTransactionIntent',
    path: '/api/v2/transaction-intents/:intentId/submissions',
    status: 202,
    body: submissionBody,
    refusalCode: 'transaction_intent_not_prepared',
    async accept(principal, idempotencyKey, { intentId = '' }, body) {
      const { signedTransaction } = body as { signedTransaction: string };
      const text = await acceptSubmission(principal, idempotencyKey, intentId, signedTransaction);
      return text === null
        ? null
        : { text, headers: { ETag: '"2"', Location: `/api/v2/transaction-intents/${intentId}` } };
    },
  },
  {
    operation: 'createPrediction',
    path: '/api/v2/predictions',
    status: 201,
    body: predictionBody,
    refusalCode: 'prediction_already_submitted',
    async accept(principal, idempotencyKey, _params, body) {
      const accepted = await acceptPrediction(principal, idempotencyKey, body as PredictionRequest);
      if (accepted === null) return null;
      return { text: accepted.text, headers: { Location: `/api/v2/predictions/${accepted.id}` } };
    },
  },
];
