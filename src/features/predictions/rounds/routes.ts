import { Type } from '@sinclair/typebox';
import type { Database } from '../../../db/client.ts';
import type { Cursors } from '../../../http/cursor.ts';
import { PageOf, paginationFields } from '../../../http/fields.ts';
import { type Operation, publicRead, type Route } from '../../../http/operation.ts';
import type { SerialisedCache } from '../../../http/serialised-cache.ts';
import { listEntries } from './list-entries.ts';
import { findRound, listRounds } from './list-rounds.ts';
import { listStandings } from './list-standings.ts';
import {
  MintPath,
  PredictionRoundSchema,
  ROUNDS_PATH,
  RoundPath,
  RoundPredictionsSchema,
  StandingsSchema,
} from './schema.ts';

export interface RoundRouteDependencies {
  database: Database;
  cursors: Cursors;
  predictionCaches: PredictionCaches;
}

/** Pre-serialised reads, all dropped when a round changes its status; counts of participants are left to age. */
export interface PredictionCaches {
  rounds: SerialisedCache;
  roundLists: SerialisedCache;
  entries: SerialisedCache;
  standings: SerialisedCache;
}

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

export function roundRoutes(dependencies: RoundRouteDependencies): Route[] {
  const { database, predictionCaches: caches } = dependencies;
  return [
    roundListRoute(dependencies),
    publicRead(getPredictionRound, ({ params: { mint, roundId } }) =>
      caches.rounds.require(
        keyOf(mint, roundId),
        () => findRound(database, mint, roundId),
        'prediction_round_not_found',
      ),
    ),
    entriesRoute(dependencies),
    publicRead(listPredictionStandings, ({ params: { mint, roundId } }) =>
      caches.standings.require(
        keyOf(mint, roundId),
        () => listStandings(database, mint, roundId),
        'prediction_round_not_found',
      ),
    ),
  ];
}

function roundListRoute({ database, cursors, predictionCaches }: RoundRouteDependencies): Route {
  return publicRead(listPredictionRounds, ({ params: { mint }, query: { cursor, limit } }) => {
    const binding = [listPredictionRounds.id, mint];
    const [ordinal] = cursor === undefined ? [] : cursors.verify(cursor, binding, 1);
    const load = async () => {
      const beforeOrdinal = ordinal === undefined ? undefined : BigInt(ordinal);
      const { rounds, nextOrdinal } = await listRounds(database, mint, { limit, beforeOrdinal });
      const nextCursor = nextOrdinal === null ? null : cursors.sign([nextOrdinal.toString()], binding);
      return { data: rounds, page: { hasMore: nextCursor !== null, nextCursor } };
    };
    return predictionCaches.roundLists.require(keyOf(mint, limit, ordinal), load, 'token_not_found');
  });
}

function entriesRoute({ database, cursors, predictionCaches }: RoundRouteDependencies): Route {
  return publicRead(listRoundPredictions, ({ params: { mint, roundId }, query: { cursor, limit } }) => {
    const binding = [listRoundPredictions.id, mint, roundId.toLowerCase()];
    const [afterId] = cursor === undefined ? [] : cursors.verify(cursor, binding, 1);
    const load = async () => {
      const found = await listEntries(database, mint, roundId, { limit, afterId });
      if (found.visibility === 'aggregate') return found;
      const { entries: data, nextId, ...rest } = found;
      const nextCursor = nextId === null ? null : cursors.sign([nextId], binding);
      return { ...rest, data, page: { hasMore: nextCursor !== null, nextCursor } };
    };
    const key = keyOf(mint, roundId, limit, afterId);
    return predictionCaches.entries.require(key, load, 'prediction_round_not_found');
  });
}

/** Only ids may be written in either case: addresses may not. */
function keyOf(mint: string, ...parts: readonly (string | number | undefined)[]): string {
  return `${mint} ${parts.join(' ').toLowerCase()}`;
}
