import type { ChainHeadSource } from '../../../chain/head.ts';
import { mutation, type Route, type RouteDefinition } from '../../../http/route.ts';
import type { Clock } from '../../../shared/clock.ts';
import { MintPath } from '../../../shared/field-schemas.ts';
import { OperationSchema } from '../schema.ts';
import { type StartedOperationDependencies, startedOperation } from '../started-operation.ts';
import { createExport } from './create-export.ts';
import { AudienceExportBody } from './schema.ts';

const createAudienceExport = {
  id: 'createAudienceExport',
  method: 'POST',
  path: '/tokens/:mint/audience-exports',
  refusesUnknownQuery: true,
  tag: 'Audience',
  summary: 'Export who holds a token',
  description:
    'Starts an operation. Follow it at `Location` until its `resultUrl` leads to the file. The file lists wallets with the sum of their token accounts, the largest balance first, as one node sees them in one slot. It is CSV with `wallet_address,balance_raw,slot`, or has one JSON object per line. A past slot cannot be read from the chain; `minSlot` asks for a snapshot of that slot or a later one. An account can have 5 unfinished exports, and 2 GiB of files. An equal request within 5 minutes returns the same operation.',
  auth: ['audience:write'],
  ratePolicy: 'webhook-admin',
  successStatus: 202,
  params: MintPath,
  body: AudienceExportBody,
  bodyOptional: true,
  exampleBody: { minimumBalanceRaw: '1000000', top: 1_000, format: 'ndjson' },
  response: OperationSchema,
  responseHeaders: ['Location', 'Retry-After'],
  problems: ['token_not_found', 'operation_limit_reached'],
} satisfies RouteDefinition;

export const audienceDefinitions: readonly RouteDefinition[] = [createAudienceExport];

export interface AudienceRouteDependencies extends StartedOperationDependencies {
  clock: Clock;
  chainHead: ChainHeadSource;
}

export function audienceRoutes(dependencies: AudienceRouteDependencies): Route[] {
  return [
    mutation(createAudienceExport, async ({ params, body }, { principal }, transaction) => {
      const { accountId } = principal;
      const order = { accountId, mintAddress: params.mint, request: body };
      const operation = await createExport(transaction, order, dependencies);
      return startedOperation(operation, dependencies, dependencies.clock.now());
    }),
  ];
}
