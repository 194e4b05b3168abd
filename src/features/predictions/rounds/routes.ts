import { Type } from '@sinclair/typebox';
import type { Database } from '../../../db/client.ts';
import type { OrdinalPosition } from '../../../db/keyset-page.ts';
import type { SerialisedCache } from '../../../http/caches/serialised-cache.ts';
import type { Cursors } from '../../../http/lists/cursor.ts';
import { type PageBody, PageOf, paginationFields, requestedPage } from '../../../http/lists/pages.ts';
import { publicRead, type Route, type RouteDefinition } from '../../../http/route.ts';
import { MintPath } from '../../../shared/field-schemas.ts';
import { findRound } from './find-round.ts';
import { type EntryPosition, listEntries } from './list-entries.ts';
import { listRounds } from './list-rounds.ts';
import { listStandings, type StandingPosition } from './list-standings.ts';
import {
  type PredictionRound,
  PredictionRoundSchema,
  ROUNDS_PATH,
  RoundPath,
  type RoundPredictions,
  RoundPredictionsSchema,
  RoundsQuery,
  STANDINGS_MAX,
  type Standing,
  StandingsQuery,
  StandingsSchema,
} from './schema.ts';

export interface RoundRouteDependencies {
  publicDatabase: Database;
  cursors: Cursors;
  predictionCaches: PredictionCaches;
}

/**
 * Pre-serialised reads, all dropped when a round changes its status; participant counts expire only by age.
 */
export interface PredictionCaches {
  rounds: SerialisedCache<PredictionRound>;
  roundLists: SerialisedCache<PageBody<PredictionRound>>;
  entries: SerialisedCache<RoundPredictions>;
  standings: SerialisedCache<PageBody<Standing>>;
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
  summary: 'Prediction rounds of a token',
  description:
    'Rounds of one token, newest first. A mint without a visible token, and a token without a prediction allocation, return 404. `participantCount` is at most a second old. Filter by `status`.',
  params: MintPath,
  query: RoundsQuery,
  response: PageOf(PredictionRoundSchema),
  problems: ['cursor_invalid', 'prediction_token_not_enabled'],
} satisfies RouteDefinition;

const getPredictionRound = {
  ...publicRoundRead,
  id: 'getPredictionRound',
  path: `${ROUNDS_PATH}/:roundId`,
  summary: 'One prediction round',
  description: 'Predictions are accepted while `status` is `open` and `locksAt` is in the future.',
  params: RoundPath,
  response: PredictionRoundSchema,
  problems: ['prediction_token_not_enabled', 'prediction_round_not_found'],
} satisfies RouteDefinition;

const listRoundPredictions = {
  ...publicRoundRead,
  id: 'listRoundPredictions',
  path: `${ROUNDS_PATH}/:roundId/predictions`,
  summary: 'Predictions of a round',
  description:
    'Returns an aggregate (`visibility: "aggregate"`) until the lock of the round is stored, and pages of exact entries after it. A round that was voided before its lock stays an aggregate. Only exact entries have cursors.',
  ratePolicy: 'public-read-expensive',
  params: RoundPath,
  query: Type.Object(paginationFields),
  response: RoundPredictionsSchema,
  problems: ['cursor_invalid', 'prediction_round_not_found'],
} satisfies RouteDefinition;

const listPredictionStandings = {
  ...publicRoundRead,
  id: 'listPredictionStandings',
  path: `${ROUNDS_PATH}/:roundId/standings`,
  summary: 'Standings of a locked round',
  description:
    'Best first, up to 500 on a page; equal `distancePpm` rank by earlier submission. Refused before the lock, empty until the round is settled. `payoutLamports` is absent where nothing was won.',
  ratePolicy: 'public-read-expensive',
  params: RoundPath,
  query: StandingsQuery,
  response: StandingsSchema,
  problems: ['cursor_invalid', 'prediction_round_not_found', 'prediction_exact_values_locked'],
} satisfies RouteDefinition;

export const roundDefinitions: readonly RouteDefinition[] = [
  listPredictionRounds,
  getPredictionRound,
  listRoundPredictions,
  listPredictionStandings,
];

export function roundRoutes(dependencies: RoundRouteDependencies): Route[] {
  const { publicDatabase: database, predictionCaches: caches } = dependencies;
  return [
    roundListRoute(dependencies),
    publicRead(getPredictionRound, (reader) => {
      const { mint, roundId } = reader.params;
      return caches.rounds.requireReplicated(
        reader,
        keyOf(mint, roundId),
        (replica) => findRound(replica ?? database, mint, roundId),
        'prediction_round_not_found',
      );
    }),
    entriesRoute(dependencies),
    standingsRoute(dependencies),
  ];
}

function roundListRoute({
  publicDatabase: database,
  cursors,
  predictionCaches,
}: RoundRouteDependencies): Route {
  return publicRead(listPredictionRounds, (reader) => {
    const {
      params: { mint },
      query,
    } = reader;
    const { status } = query;
    // Without a filter a cursor is bound as before there was a filter.
    const binding = [listPredictionRounds.id, mint, ...(status === undefined ? [] : [status])];
    const page = requestedPage<OrdinalPosition>(cursors, query, binding, 1);
    const { limit, after } = page;
    const load = async () => page.toBody(await listRounds(database, mint, { status, limit, after }));
    const key = keyOf(mint, limit, after?.[0], status);
    return predictionCaches.roundLists.require(reader, key, load, 'prediction_token_not_enabled');
  });
}

function entriesRoute({
  publicDatabase: database,
  cursors,
  predictionCaches,
}: RoundRouteDependencies): Route {
  return publicRead(listRoundPredictions, (reader) => {
    const {
      params: { mint, roundId },
      query,
    } = reader;
    const binding = [listRoundPredictions.id, mint, roundId.toLowerCase()];
    const page = requestedPage<EntryPosition>(cursors, query, binding, 1);
    const load = async () => {
      const entries = await listEntries(database, mint, roundId, page);
      if (entries.visibility === 'aggregate') return entries;
      const { page: found, ...rest } = entries;
      return { ...rest, ...page.toBody(found) };
    };
    const key = keyOf(mint, roundId, page.limit, page.after?.[0]);
    return predictionCaches.entries.require(reader, key, load, 'prediction_round_not_found');
  });
}

function standingsRoute({
  publicDatabase: database,
  cursors,
  predictionCaches,
}: RoundRouteDependencies): Route {
  return publicRead(listPredictionStandings, (reader) => {
    const {
      params: { mint, roundId },
      query,
    } = reader;
    const binding = [listPredictionStandings.id, mint, roundId.toLowerCase()];
    const requested = { ...query, limit: query.limit ?? STANDINGS_MAX };
    const page = requestedPage<StandingPosition>(cursors, requested, binding, 1);
    const load = async () => page.toBody(await listStandings(database, mint, roundId, page));
    const key = keyOf(mint, roundId, page.limit, page.after?.[0]);
    return predictionCaches.standings.require(reader, key, load, 'prediction_round_not_found');
  });
}

/** Only ids may be written in either case: addresses may not. */
function keyOf(mint: string, ...parts: readonly (string | number | undefined)[]): string {
  return `${mint} ${parts.join(' ').toLowerCase()}`;
}
