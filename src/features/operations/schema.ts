import { Type } from '@sinclair/typebox';
import { operationStatuses } from '../../db/schema/operations.ts';
import { NullableProblemSchema } from '../../http/problem-schema.ts';
import { Nullable, OneOf, TimestampField, UuidField } from '../../shared/field-schemas.ts';
import { type ProblemCode, problemTable } from '../../shared/problem-table.ts';

/** contract/operations#operation */
export const OperationSchema = Type.Object(
  {
    id: UuidField,
    kind: Type.String({ pattern: '^[a-z][a-z0-9_]*$', examples: ['delivery_replay'] }),
    status: OneOf(operationStatuses),
    progress: Type.Optional(
      Type.Object(
        {
          completed: Type.Integer({ minimum: 0 }),
          total: Type.Integer({ minimum: 0 }),
          unit: Type.Optional(Type.String()),
        },
        { additionalProperties: false, description: 'absent when the operation reports none' },
      ),
    ),
    createdAt: TimestampField,
    startedAt: Nullable(TimestampField),
    completedAt: Nullable(TimestampField),
    resultUrl: Nullable(
      Type.String({ description: 'address of the result; ask for the operation again when it has expired' }),
    ),
    error: NullableProblemSchema,
  },
  { $id: 'Operation', additionalProperties: false },
);

/** Filter of lists by kind (contract/operations#operation). */
export const KindFilter = Type.Optional(
  Type.String({
    pattern: '^[a-z][a-z0-9_]{0,63}$',
    description: 'a kind: lowercase letters, digits and underscores',
  }),
);

export const OperationPath = Type.Object({ operationId: UuidField });

/** Far below 2^53: what is counted is work. */
const Count = Type.Integer({ minimum: 0, maximum: 999_999_999_999_999 });

export const NewOperationBody = Type.Object(
  {
    accountId: UuidField,
    kind: Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$', examples: ['token_import'] }),
    input: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'checked for the kinds that the worker runs',
      }),
    ),
  },
  { additionalProperties: false },
);

export const ProgressBody = Type.Object(
  { completed: Count, total: Count, unit: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })) },
  { additionalProperties: false },
);

export const SuccessBody = Type.Object(
  {
    resultUrl: Type.Optional(
      Nullable(Type.String({ description: 'https address of the result, at most 2,048 characters' })),
    ),
  },
  { additionalProperties: false },
);

export const FailureBody = Type.Object(
  {
    code: OneOf(Object.keys(problemTable) as ProblemCode[]),
    detail: Type.Optional(
      Nullable(Type.String({ minLength: 1, maxLength: 1_024, description: 'one sentence for the client' })),
    ),
  },
  { additionalProperties: false },
);

export const CancelledOperation = Type.Object(
  { ...OperationSchema.properties, cancelRequested: Type.Boolean() },
  { $id: 'CancelledOperation', additionalProperties: false },
);
