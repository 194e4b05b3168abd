import type { Operations } from '../../http/api-door.ts';
import { refusing } from '../../http/problems/refusals.ts';
import { mutation, type Route, type RouteDefinition } from '../../http/route.ts';
import { cancelOperation } from './cancel-operation.ts';
import { createOperation } from './create-operation.ts';
import type { EndContext } from './end-operation.ts';
import { toOperation } from './record.ts';
import { endManually, reportProgress } from './run-manually.ts';
import {
  CancelledOperation,
  FailureBody,
  NewOperationBody,
  OperationPath,
  OperationSchema,
  ProgressBody,
  SuccessBody,
} from './schema.ts';

/** The parts that all changes of an operation share. */
const change = {
  method: 'POST',
  tag: 'Operations',
  auth: ['operations'],
  ratePolicy: 'service-key',
  successStatus: 200,
  params: OperationPath,
  problems: ['operation_not_found', 'internal_state_conflict'],
} as const;

const createOperationDefinition = {
  id: 'createOperation',
  method: 'POST',
  path: '/operations',
  tag: 'Operations',
  summary: 'Create an operation of an account',
  description:
    'The worker runs `audience_export`, `delivery_replay` and `delivery_recovery`; an operation of any other kind is run by its creator, who reports progress and the end.',
  auth: ['operations'],
  ratePolicy: 'service-key',
  successStatus: 201,
  body: NewOperationBody,
  exampleBody: { accountId: '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e', kind: 'token_import', input: {} },
  response: OperationSchema,
  problems: [],
} satisfies RouteDefinition;

const reportOperationProgress = {
  ...change,
  id: 'reportOperationProgress',
  path: '/operations/:operationId/progress',
  summary: 'Report progress of an operation',
  description: 'A queued operation starts.',
  body: ProgressBody,
  exampleBody: { completed: 10, total: 40, unit: 'tokens' },
  response: OperationSchema,
} satisfies RouteDefinition;

const succeedOperation = {
  ...change,
  id: 'succeedOperation',
  path: '/operations/:operationId/successes',
  summary: 'End an operation as succeeded',
  description: 'Sends `operation.succeeded` to its account.',
  body: SuccessBody,
  bodyOptional: true,
  exampleBody: { resultUrl: 'https://platform.example/results/1' },
  response: OperationSchema,
} satisfies RouteDefinition;

const failOperation = {
  ...change,
  id: 'failOperation',
  path: '/operations/:operationId/failures',
  summary: 'End an operation as failed',
  description: 'Sends `operation.failed` to its account, with the problem.',
  body: FailureBody,
  exampleBody: { code: 'api_dependency_unavailable', detail: 'The source was unavailable.' },
  response: OperationSchema,
} satisfies RouteDefinition;

const cancelOperationDefinition = {
  ...change,
  id: 'cancelOperation',
  path: '/operations/:operationId/cancellations',
  summary: 'Cancel an operation',
  description:
    'An operation that the worker is running stops at its next step: until then `cancelRequested` is true and the status `running`.',
  response: CancelledOperation,
} satisfies RouteDefinition;

const definitions: readonly RouteDefinition[] = [
  createOperationDefinition,
  reportOperationProgress,
  succeedOperation,
  failOperation,
  cancelOperationDefinition,
];

function routes(context: EndContext): Route[] {
  const { clock, links } = context;
  const unknown = 'operation_not_found';
  return [
    mutation(createOperationDefinition, async ({ body }, _caller, transaction) => {
      const { accountId, kind, input = {} } = body;
      const row = await refusing(unknown, () =>
        createOperation(transaction, clock, { accountId, kind, input }),
      );
      return { body: toOperation(row, links, clock.now()) };
    }),
    mutation(reportOperationProgress, async ({ params, body }, _caller, transaction) => {
      const { completed, total, unit = null } = body;
      const progress = { completed: BigInt(completed), total: BigInt(total), unit };
      return {
        body: await refusing(unknown, () =>
          reportProgress(transaction, context, params.operationId, progress),
        ),
      };
    }),
    mutation(succeedOperation, async ({ params, body }, _caller, transaction) => {
      const end = { status: 'succeeded', resultUrl: body.resultUrl ?? null } as const;
      return {
        body: await refusing(unknown, () => endManually(transaction, context, params.operationId, end)),
      };
    }),
    mutation(failOperation, async ({ params, body }, _caller, transaction) => {
      const requestId = `req_${crypto.randomUUID().replaceAll('-', '')}`;
      const { code, detail = null } = body;
      const end = { status: 'failed', code, detail, requestId } as const;
      return {
        body: await refusing(unknown, () => endManually(transaction, context, params.operationId, end)),
      };
    }),
    mutation(cancelOperationDefinition, async ({ params }, _caller, transaction) => {
      const { operation, isRequested } = await refusing(unknown, () =>
        cancelOperation(transaction, context, params.operationId),
      );
      return { body: { ...operation, cancelRequested: isRequested } };
    }),
  ];
}

export const operationInternal = { definitions, routes } satisfies Operations;
