import { OperationSchema } from '../../features/operations/schema.ts';
import recorded from '../reference/response-examples.json' with { type: 'json' };
import type { DocumentedEvent } from './documented-event.ts';

const operation = { ...recorded.getOperation, resultUrl: null };

const operationRecord = {
  schema: OperationSchema,
  data: 'The operation as `getOperation` returns it.',
  subject: operation.id,
};

export const operationEvents = {
  'operation.succeeded': {
    ...operationRecord,
    meaning: 'Long-running work of your account has finished.',
    reaction: 'Fetch `resultUrl` when it is not null.',
    example: operation,
  },
  'operation.failed': {
    ...operationRecord,
    meaning: 'Long-running work of your account has failed.',
    data: `${operationRecord.data} \`error\` is the problem that ended the operation.`,
    reaction: 'Branch on `error.code`, exactly as for an error response.',
    example: {
      ...operation,
      status: 'failed',
      error: {
        type: 'https://api.example/docs/reference/errors#api_dependency_unavailable',
        title: 'Dependency unavailable',
        status: 503,
        detail: 'A backing dependency is unavailable.',
        instance: `/api/v2/operations/${operation.id}`,
        code: 'api_dependency_unavailable',
        requestId: 'req_4bf92f3577b34da6a3ce929d0e0e4736',
      },
    },
  },
  'operation.cancelled': {
    ...operationRecord,
    meaning: 'Long-running work of your account was cancelled before it began.',
    reaction: 'Start it again if you still need it.',
    example: { ...operation, status: 'cancelled', progress: { completed: 0, total: 40 }, startedAt: null },
  },
} satisfies Record<string, DocumentedEvent>;
