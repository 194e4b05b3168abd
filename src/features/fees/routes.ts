import { Type } from '@sinclair/typebox';
import type { Database } from '../../db/client.ts';
import type { Cursors } from '../../http/lists/cursor.ts';
import { PageOf, paginationFields, requestedPage } from '../../http/lists/pages.ts';
import { privateRead, type Route, type RouteDefinition } from '../../http/route.ts';
import { MintPath } from '../../shared/field-schemas.ts';
import { Problem } from '../../shared/problem.ts';
import { findFeeState } from './find-fee-state.ts';
import { type DistributionPosition, listFeeDistributions } from './list-fee-distributions.ts';
import { FeeStateSchema, ListedFeeDistributionSchema } from './schema.ts';

export interface FeeRouteDependencies {
  database: Database;
  cursors: Cursors;
}

const feeRead = {
  method: 'GET',
  tag: 'Fees',
  auth: ['fees:read'],
  ratePolicy: 'api-key-read',
  successStatus: 200,
  params: MintPath,
} as const;

const getTokenFeeState = {
  ...feeRead,
  id: 'getTokenFeeState',
  path: '/tokens/:mint/fees',
  summary: 'Fees of a token',
  description:
    "All amounts are of one slot. `claimableLamports` is the amount that the key's pinned wallet can claim. A token whose fees were never read returns 404 `fee_state_not_found`, never zeros.",
  response: FeeStateSchema,
  problems: ['token_not_found', 'fee_state_not_found'],
} satisfies RouteDefinition;

const listTokenFeeDistributions = {
  ...feeRead,
  id: 'listTokenFeeDistributions',
  path: '/tokens/:mint/fee-distributions',
  summary: 'Fee distributions of a token',
  description:
    'Newest first. Every distribution names the transaction that paid it. `intentId` names the intent of `createFeeClaims`, if your account prepared it.',
  query: Type.Object(paginationFields),
  response: PageOf(ListedFeeDistributionSchema),
  problems: ['cursor_invalid', 'token_not_found'],
} satisfies RouteDefinition;

export const feeDefinitions: readonly RouteDefinition[] = [getTokenFeeState, listTokenFeeDistributions];

export function feeRoutes({ database, cursors }: FeeRouteDependencies): Route[] {
  return [
    privateRead(getTokenFeeState, async ({ params: { mint } }, { walletAddress }) => ({
      body: requireState(requireToken(await findFeeState(database, mint, walletAddress))),
    })),
    privateRead(listTokenFeeDistributions, async ({ params: { mint }, query }, { accountId }) => {
      const binding = [listTokenFeeDistributions.id, mint];
      const page = requestedPage<DistributionPosition>(cursors, query, binding, 2);
      return {
        body: page.toBody(requireToken(await listFeeDistributions(database, mint, { ...page, accountId }))),
      };
    }),
  ];
}

function requireState<Value>(value: Value | 'unknown'): Value {
  if (value === 'unknown') throw new Problem('fee_state_not_found');
  return value;
}

function requireToken<Value>(value: Value | null): Value {
  if (value === null) throw new Problem('token_not_found');
  return value;
}
