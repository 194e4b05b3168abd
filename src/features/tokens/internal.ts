import type { CurrentReadDependencies } from '../../chain/node-trust/first-current-response.ts';
import type { Database } from '../../db/client.ts';
import type { Operations } from '../../http/api-door.ts';
import { refusing } from '../../http/problems/refusals.ts';
import { mutation, type Route, type RouteDefinition } from '../../http/route.ts';
import { TokenReport } from '../../indexer/ingest/kinds/token.ts';
import type { Outbox } from '../../outbox/append.ts';
import type { Clock } from '../../shared/clock.ts';
import { MintPath } from '../../shared/field-schemas.ts';
import { findReportedPool } from './announced-pool.ts';
import { setTokenHidden } from './hide-token.ts';
import { refuseTakenPool, reportedToken } from './reported-token.ts';
import { TokenVisibility, UpsertedToken, VisibilityBody } from './schema.ts';
import { upsertToken } from './upsert-token.ts';

const upsertTokenDefinition = {
  id: 'upsertToken',
  method: 'POST',
  path: '/tokens',
  tag: 'Tokens',
  summary: 'Create or change a token',
  description:
    'A repeated report changes nothing and sends nothing. An absent field keeps its value, and null clears it. `events` lists the launch events that were sent.',
  auth: ['tokens'],
  ratePolicy: 'service-key',
  successStatus: 200,
  body: TokenReport,
  exampleBody: {
    mintAddress: 'So11111111111111111111111111111111111111112',
    creatorWallet: 'So11111111111111111111111111111111111111112',
    name: 'Example',
    symbol: 'EX',
    decimals: 6,
    totalSupply: '1000000000',
    launchType: 'dbc',
    status: 'bonding',
  },
  response: UpsertedToken,
  problems: [],
} satisfies RouteDefinition;

const setTokenVisibility = {
  id: 'setTokenVisibility',
  method: 'POST',
  path: '/tokens/:mint/visibility',
  tag: 'Tokens',
  summary: 'Hide or show a token',
  description: 'Caches of the public API follow within 5 seconds.',
  auth: ['tokens'],
  ratePolicy: 'service-key',
  successStatus: 200,
  params: MintPath,
  body: VisibilityBody,
  exampleBody: { hidden: true },
  response: TokenVisibility,
  problems: ['token_not_found'],
} satisfies RouteDefinition;

const definitions: readonly RouteDefinition[] = [upsertTokenDefinition, setTokenVisibility];

interface InternalTokenDependencies extends CurrentReadDependencies {
  database: Database;
  outbox: Outbox;
  clock: Clock;
}

function routes(dependencies: InternalTokenDependencies): Route[] {
  const { database, outbox, clock } = dependencies;
  return [
    mutation(upsertTokenDefinition, {
      // Calls the chain before the transaction opens.
      prepare: ({ body }) =>
        refusing('token_not_found', async () => {
          const token = reportedToken(body);
          return { token, pool: await findReportedPool(database, dependencies, token) };
        }),
      handle: async (_input, _caller, transaction, { token, pool }) => ({
        body: await refusing('token_not_found', async () => {
          const outcome = await upsertToken(transaction, outbox, clock, token, pool).catch(refuseTakenPool);
          return { mintAddress: token.mintAddress, ...outcome };
        }),
      }),
    }),
    mutation(setTokenVisibility, async ({ params, body }, _caller, transaction) => ({
      body: await refusing('token_not_found', () => setTokenHidden(transaction, params.mint, body.hidden)),
    })),
  ];
}

export const tokenInternal = { definitions, routes } satisfies Operations;
