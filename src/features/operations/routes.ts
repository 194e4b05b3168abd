import type { Operation, Route } from '../../http/operation.ts';
import { pendingRoute } from '../../http/pending-route.ts';
import { OperationPath, OperationSchema } from './schema.ts';

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

export function operationRoutes(): Route[] {
  return [pendingRoute(getOperation)];
}
