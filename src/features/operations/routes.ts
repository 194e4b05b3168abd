import type { Database } from '../../db/client.ts';
import { type Operation, privateRead, type Route } from '../../http/operation.ts';
import type { Clock } from '../../shared/clock.ts';
import { publishedLimits } from '../../shared/contract-limits.ts';
import { Problem } from '../../shared/problem.ts';
import { findOperation } from './find-operation.ts';
import { type OperationLinks, toOperation } from './record.ts';
import { OperationPath, OperationSchema } from './schema.ts';
import { isTerminal } from './state.ts';

/** Polling hint for queued and running operations (contract/operations#polling). */
const POLL_AFTER_SECONDS = String(publishedLimits.pollingRetryAfterSeconds);

const getOperation = {
  id: 'getOperation',
  method: 'GET',
  path: '/operations/:operationId',
  tag: 'Operations',
  summary: 'Progress and outcome of long-running work of the account',
  description:
    'Poll until `succeeded`, `failed` or `cancelled`, waiting `Retry-After` seconds between requests, or subscribe to `operation.*` events. `progress.total` may change while it is still being found out. A `resultUrl` of this service needs no key and works for an hour: whoever has it can fetch the file, so keep it to yourself, and ask again for a fresh one. Files are kept for 7 days; then `resultUrl` is null. An `audience_export` is CSV (`wallet_address,balance_raw,slot`), all holders as of one slot, largest balance first; a `delivery_replay` reports its counts as JSON.',
  auth: ['operations:read'],
  ratePolicy: 'operation-read',
  successStatus: 200,
  params: OperationPath,
  response: OperationSchema,
  responseHeaders: ['Retry-After'],
  problems: ['operation_not_found'],
} satisfies Operation;

export const operationOperations: readonly Operation[] = [getOperation];

export interface OperationRouteDependencies {
  database: Database;
  clock: Clock;
  operationLinks: OperationLinks;
}

export function operationRoutes({ database, clock, operationLinks }: OperationRouteDependencies): Route[] {
  return [
    privateRead(getOperation, async ({ params }, { accountId }) => {
      const operation = await findOperation(database, params.operationId, accountId);
      if (operation === null) throw new Problem('operation_not_found');
      const body = toOperation(operation, operationLinks, clock.now());
      return isTerminal(operation.status)
        ? { body }
        : { body, headers: { 'Retry-After': POLL_AFTER_SECONDS } };
    }),
  ];
}
