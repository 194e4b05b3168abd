import type { ChainHeadSource } from '../../../chain/head.ts';
import { mutation, type Operation, type Route } from '../../../http/operation.ts';
import { API_PREFIX } from '../../../shared/api-prefix.ts';
import { type Hint, hints } from '../../../shared/bus/topology.ts';
import type { Clock } from '../../../shared/clock.ts';
import { publishedLimits } from '../../../shared/contract-limits.ts';
import { type OperationLinks, toOperation } from '../record.ts';
import { OperationSchema } from '../schema.ts';
import { createExport } from './create-export.ts';
import { AudienceExportBody, AudiencePath } from './schema.ts';

const createAudienceExport = {
  id: 'createAudienceExport',
  method: 'POST',
  path: '/tokens/:mint/audience-exports',
  tag: 'Audience',
  summary: 'Export who holds a token',
  description:
    'Starts an operation; follow it at `Location` until its `resultUrl` leads to the file. The file lists wallets with the sum of their token accounts, as one node sees them in one slot, the largest balance first: CSV with `wallet_address,balance_raw,slot`, or one JSON object a line. A past slot cannot be read from the chain; `minSlot` asks for a snapshot of that slot or a later one. At most 5 exports of an account may be unfinished.',
  auth: ['audience:write'],
  ratePolicy: 'webhook-admin',
  successStatus: 202,
  params: AudiencePath,
  body: AudienceExportBody,
  bodyOptional: true,
  exampleBody: { minimumBalanceRaw: '1000000', top: 1_000, format: 'ndjson' },
  response: OperationSchema,
  responseHeaders: ['Location', 'Retry-After'],
  problems: ['token_not_found', 'operation_limit_reached'],
} satisfies Operation;

export const audienceOperations: readonly Operation[] = [createAudienceExport];

export interface AudienceRouteDependencies {
  clock: Clock;
  chainHead: ChainHeadSource;
  operationLinks: OperationLinks;
  sendHints(...hints: Hint[]): void;
}

export function audienceRoutes(dependencies: AudienceRouteDependencies): Route[] {
  const { clock, operationLinks, sendHints } = dependencies;
  return [
    mutation(createAudienceExport, async ({ params, body }, { principal }, transaction) => {
      const { accountId } = principal;
      const order = { accountId, mintAddress: params.mint, request: body };
      const operation = await createExport(transaction, order, dependencies);
      return {
        body: toOperation(operation, operationLinks, clock.now()),
        headers: {
          Location: `${API_PREFIX}/operations/${operation.id}`,
          'Retry-After': String(publishedLimits.pollingRetryAfterSeconds),
        },
        afterCommit: () => sendHints(hints.operations),
      };
    }),
  ];
}
