import { Type } from '@sinclair/typebox';
import { PageOf, paginationFields } from '../../http/fields.ts';
import type { Operation, Route } from '../../http/operation.ts';
import { pendingRoute } from '../../http/pending-route.ts';
import { FeeDistributionSchema, FeeStateSchema, MintPath } from './schema.ts';

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
  summary: "Accrued and distributed fees of a token, and what the key's wallet can claim",
  response: FeeStateSchema,
  problems: ['token_not_found'],
} satisfies Operation;

const listTokenFeeDistributions = {
  ...feeRead,
  id: 'listTokenFeeDistributions',
  path: '/tokens/:mint/fee-distributions',
  summary: 'Fee distributions of a token, newest first',
  query: Type.Object(paginationFields),
  response: PageOf(FeeDistributionSchema),
  problems: ['cursor_invalid', 'token_not_found'],
} satisfies Operation;

export function feeRoutes(): Route[] {
  return [getTokenFeeState, listTokenFeeDistributions].map(pendingRoute);
}
