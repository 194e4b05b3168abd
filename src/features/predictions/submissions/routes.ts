import type { Static } from '@sinclair/typebox';
import type { AccountListPosition } from '../../../db/account-list.ts';
import type { Database } from '../../../db/client.ts';
import type { Cursors } from '../../../http/lists/cursor.ts';
import { PageOf, requestedPage } from '../../../http/lists/pages.ts';
import { responseRecord } from '../../../http/mutations/idempotency.ts';
import { storedResponse } from '../../../http/responses/responses.ts';
import {
  type Caller,
  mutation,
  privateRead,
  type Reply,
  type Route,
  type RouteDefinition,
} from '../../../http/route.ts';
import { API_PREFIX } from '../../../shared/api-prefix.ts';
import { Problem } from '../../../shared/problem.ts';
import { ROUNDS_PATH, RoundPath } from '../rounds/schema.ts';
import { acceptOnFastPath, type FastPathDependencies } from './accept-on-fast-path.ts';
import { evaluateEligibility } from './evaluate-eligibility.ts';
import { findPrediction } from './find-prediction.ts';
import { listPredictions } from './list-predictions.ts';
import {
  EligibilitySchema,
  NewPredictionBody,
  type Prediction,
  PredictionPath,
  PredictionSchema,
  PredictionsQuery,
} from './schema.ts';
import { readSubmissionBalance, type Submission, submitPrediction } from './submit-prediction.ts';

const getPredictionEligibility = {
  id: 'getPredictionEligibility',
  method: 'GET',
  path: `${ROUNDS_PATH}/:roundId/eligibility`,
  tag: 'Predictions',
  summary: 'Whether your wallet may predict',
  description:
    'Checks every requirement for the pinned wallet, even while the round is closed, and returns all reasons together. The balance is the finalized balance, read from the chain for this response. `evaluationSlot` is its slot.',
  auth: ['predictions:read'],
  ratePolicy: 'api-key-read',
  successStatus: 200,
  params: RoundPath,
  response: EligibilitySchema,
  problems: ['prediction_round_not_found', 'prediction_balance_unavailable'],
} satisfies RouteDefinition;

const getOwnedPrediction = {
  id: 'getOwnedPrediction',
  method: 'GET',
  path: '/predictions/:predictionId',
  tag: 'Predictions',
  summary: 'One prediction of the account',
  description:
    '`rank`, `distancePpm` and `payoutLamports` are null until the round is settled. `payoutLamports` stays null if nothing was won.',
  auth: ['predictions:read'],
  ratePolicy: 'api-key-read',
  successStatus: 200,
  params: PredictionPath,
  response: PredictionSchema,
  problems: ['prediction_not_found'],
} satisfies RouteDefinition;

const listOwnedPredictions = {
  id: 'listOwnedPredictions',
  method: 'GET',
  path: '/predictions',
  refusesUnknownQuery: true,
  tag: 'Predictions',
  summary: 'Predictions, newest first',
  description:
    'The records of `getOwnedPrediction`, of every key and wallet of the account. Filter by `status` and `roundId`; the rounds of a token are in `listPredictionRounds`.',
  auth: ['predictions:read'],
  ratePolicy: 'api-key-read',
  successStatus: 200,
  query: PredictionsQuery,
  response: PageOf(PredictionSchema),
  problems: ['cursor_invalid'],
} satisfies RouteDefinition;

const createPrediction = {
  id: 'createPrediction',
  method: 'POST',
  path: '/predictions',
  tag: 'Predictions',
  summary: 'Submit a prediction',
  description:
    'A wallet has one prediction per round, which never changes. The finalized balance counts. All requirements are checked together: one failure becomes the `code`, and the others are listed in `causes`. Missing records come before states, and states before content; `prediction_balance_unavailable` is the code only if nothing else fails. A round with `requiresDelegatedIntent` also needs an intent that the wallet has signed for exactly this price. The newest intent counts, and can be used once.',
  auth: ['predictions:write'],
  ratePolicy: 'prediction-submit',
  successStatus: 201,
  body: NewPredictionBody,
  exampleBody: {
    roundId: '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e',
    walletAddress: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
    predictedPriceInSol: '0.000000031',
  },
  response: PredictionSchema,
  responseHeaders: ['Location'],
  dependsOnKey: 'wallet',
  problems: [
    'prediction_wallet_mismatch',
    'prediction_authorization_invalid',
    'prediction_intent_not_found',
    'prediction_round_not_found',
    'prediction_token_not_enabled',
    'prediction_round_not_open',
    'prediction_wallet_not_verified',
    'prediction_username_required',
    'prediction_insufficient_balance',
    'prediction_already_submitted',
    'prediction_intent_expired',
    'prediction_intent_consumed',
    'prediction_price_out_of_range',
    'prediction_balance_unavailable',
  ],
} satisfies RouteDefinition;

export const submissionDefinitions: readonly RouteDefinition[] = [
  getPredictionEligibility,
  getOwnedPrediction,
  createPrediction,
];

/** Operations added after the first 36 (contract/endpoints#added). */
export const addedPredictionDefinitions: readonly RouteDefinition[] = [listOwnedPredictions];

export function addedPredictionRoutes({
  database,
  cursors,
}: {
  database: Database;
  cursors: Cursors;
}): Route[] {
  return [
    privateRead(listOwnedPredictions, async ({ query }, { accountId }) => {
      const { status } = query;
      const roundId = query.roundId?.toLowerCase();
      const binding = [listOwnedPredictions.id, accountId, status ?? null, roundId ?? null];
      const page = requestedPage<AccountListPosition>(cursors, query, binding, 1);
      const { limit, after } = page;
      const found = await listPredictions(database, accountId, { status, roundId, limit, after });
      return { body: page.toBody(found) };
    }),
  ];
}

export function submissionRoutes(dependencies: FastPathDependencies): Route[] {
  const { database, lookUps } = dependencies;
  return [
    privateRead(getPredictionEligibility, async ({ params: { mint, roundId } }, { walletAddress }) => ({
      body: await evaluateEligibility(database, dependencies, { mintAddress: mint, roundId, walletAddress }),
    })),
    privateRead(getOwnedPrediction, async ({ params: { predictionId } }, { accountId }) => {
      const prediction = await findPrediction(lookUps, predictionId, accountId);
      if (prediction === null) throw new Problem('prediction_not_found');
      return { body: prediction };
    }),
    mutation(createPrediction, {
      prepare: ({ body }) => readSubmissionBalance(database, dependencies, body.roundId, body.walletAddress),
      // One more statement would cost a third more.
      preparesRepeats: true,
      async fastPath({ body }, { principal }, attempt, balance) {
        const submission = submissionOf(body, principal);
        return acceptOnFastPath(submission, balance, dependencies, (prediction) =>
          responseRecord(attempt, storedResponse(createPrediction, createdReply(prediction))),
        );
      },
      async handle({ body }, { principal }, transaction, balance) {
        const submission = submissionOf(body, principal);
        const prediction = await submitPrediction(transaction, submission, balance, dependencies);
        return createdReply(prediction);
      },
    }),
  ];
}

function submissionOf(
  body: Static<typeof NewPredictionBody>,
  { accountId, walletAddress: pinnedWallet }: Caller<'wallet'>['principal'],
): Submission {
  return { ...body, accountId, pinnedWallet };
}

function createdReply(prediction: Prediction): Reply<Prediction> {
  return { body: prediction, headers: { Location: `${API_PREFIX}/predictions/${prediction.id}` } };
}
