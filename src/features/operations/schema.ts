import { Type } from '@sinclair/typebox';
import { operationStatuses } from '../../db/schema/operations.ts';
import { NullableProblemSchema } from '../../http/problem-schema.ts';
import { Nullable, OneOf, TimestampField, UuidField } from '../../shared/field-schemas.ts';

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
