import { Type } from '@sinclair/typebox';
import { PageOf, paginationFields } from '../../http/fields.ts';
import type { Operation, Route } from '../../http/operation.ts';
import { pendingRoute } from '../../http/pending-route.ts';
import {
  EligibilitySchema,
  MintPath,
  NewPredictionBody,
  PredictionPath,
  PredictionRoundSchema,
  PredictionSchema,
  RoundPath,
  RoundPredictionsSchema,
  StandingsSchema,
} from './schema.ts';

const ROUNDS_PATH = '/tokens/:mint/prediction-rounds';

const publicRoundRead = {
  method: 'GET',
  tag: 'Predictions',
  auth: 'anonymous',
  ratePolicy: 'public-read-cheap',
  successStatus: 200,
  maxAgeSeconds: 1,
} as const;

const listPredictionRounds = {
  ...publicRoundRead,
  id: 'listPredictionRounds',
  path: ROUNDS_PATH,
  summary: 'Prediction rounds of a token, newest first',
  params: MintPath,
  query: Type.Object(paginationFields),
  response: PageOf(PredictionRoundSchema),
  problems: ['cursor_invalid', 'token_not_found', 'prediction_token_not_enabled'],
} satisfies Operation;

const getPredictionRound = {
  ...publicRoundRead,
  id: 'getPredictionRound',
  path: `${ROUNDS_PATH}/:roundId`,
  summary: 'One prediction round',
  params: RoundPath,
  response: PredictionRoundSchema,
  problems: ['token_not_found', 'prediction_token_not_enabled', 'prediction_round_not_found'],
} satisfies Operation;

const listRoundPredictions = {
  ...publicRoundRead,
  id: 'listRoundPredictions',
  path: `${ROUNDS_PATH}/:roundId/predictions`,
  summary: 'Predictions of a round: an aggregate before the lock, exact entries after it',
  ratePolicy: 'public-read-expensive',
  params: RoundPath,
  query: Type.Object(paginationFields),
  response: RoundPredictionsSchema,
  problems: [
    'cursor_invalid',
    'token_not_found',
    'prediction_token_not_enabled',
    'prediction_round_not_found',
  ],
} satisfies Operation;

const listPredictionStandings = {
  ...publicRoundRead,
  id: 'listPredictionStandings',
  path: `${ROUNDS_PATH}/:roundId/standings`,
  summary: 'Standings of a locked round, best first',
  ratePolicy: 'public-read-expensive',
  params: RoundPath,
  response: StandingsSchema,
  problems: [
    'token_not_found',
    'prediction_token_not_enabled',
    'prediction_round_not_found',
    'prediction_exact_values_locked',
  ],
} satisfies Operation;

const getPredictionEligibility = {
  id: 'getPredictionEligibility',
  method: 'GET',
  path: `${ROUNDS_PATH}/:roundId/eligibility`,
  tag: 'Predictions',
  summary: "Whether the key's wallet may predict, and every reason why not",
  auth: ['predictions:read'],
  ratePolicy: 'api-key-read',
  successStatus: 200,
  params: RoundPath,
  response: EligibilitySchema,
  problems: ['prediction_round_not_found', 'prediction_balance_unavailable'],
} satisfies Operation;

const getOwnedPrediction = {
  id: 'getOwnedPrediction',
  method: 'GET',
  path: '/predictions/:predictionId',
  tag: 'Predictions',
  summary: 'One prediction of the account',
  auth: ['predictions:read'],
  ratePolicy: 'api-key-read',
  successStatus: 200,
  params: PredictionPath,
  response: PredictionSchema,
  problems: ['prediction_not_found'],
} satisfies Operation;

const createPrediction = {
  id: 'createPrediction',
  method: 'POST',
  path: '/predictions',
  tag: 'Predictions',
  summary: "Submit the key's wallet's prediction for a round",
  auth: ['predictions:write'],
  ratePolicy: 'prediction-submit',
  successStatus: 201,
  body: NewPredictionBody,
  response: PredictionSchema,
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
} satisfies Operation;

export function predictionRoutes(): Route[] {
  return [
    listPredictionRounds,
    getPredictionRound,
    listRoundPredictions,
    listPredictionStandings,
    getPredictionEligibility,
    getOwnedPrediction,
    createPrediction,
  ].map(pendingRoute);
}
