import type { Database } from '../../db/client.ts';
import { type Operation, privateRead, type Route } from '../../http/operation.ts';
import type { Clock } from '../../shared/clock.ts';
import { Problem } from '../../shared/problem.ts';
import { findOperation } from './find-operation.ts';
import { type OperationLinks, toOperation } from './record.ts';
import { OperationPath, OperationSchema } from './schema.ts';
import { isTerminal } from './state.ts';

/** Polling hint for queued and running operations (contract/operations#polling). */
const POLL_AFTER_SECONDS = '2';

const getOperation = {
  id: 'getOperation',
  method: 'GET',
  path: '/operations/:operationId',
  tag: 'Operations',
  summary: 'Progress and outcome of long-running work of the account',
  auth: ['operations:read'],
  ratePolicy: 'operation-read',
  successStatus: 200,
  params: OperationPath,
  response: OperationSchema,
  problems: ['operation_not_found'],
} satisfies Operation;

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
