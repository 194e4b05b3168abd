import { type Static, Type } from '@sinclair/typebox';
import { operationStatuses } from '../../db/values/operations.ts';
import { NullableProblemSchema } from '../../http/problems/problem-schema.ts';
import {
  Closed,
  CompletedAtField,
  CountField,
  CreatedAtField,
  described,
  IdField,
  Named,
  Nullable,
  OneOf,
  TimestampField,
  UuidField,
} from '../../shared/field-schemas.ts';
import { type ProblemCode, problemTable } from '../../shared/problem-table.ts';

/** contract/operations#operation */
export const OperationSchema = Named('Operation', {
  id: IdField,
  kind: described(
    'What it is for.',
    Type.String({ pattern: '^[a-z][a-z0-9_]*$', examples: ['delivery_replay'] }),
  ),
  status: described('State of the record.', OneOf(operationStatuses)),
  progress: described(
    'How much is done; absent while nothing is reported.',
    Type.Optional(
      Type.Object(
        {
          completed: described('Units that are done.', CountField),
          total: described('Units of all the work.', CountField),
          unit: described('What is counted.', Type.Optional(Type.String())),
        },
        { additionalProperties: false },
      ),
    ),
  ),
  createdAt: CreatedAtField,
  startedAt: described('When it began; null before.', Nullable(TimestampField)),
  completedAt: CompletedAtField,
  resultUrl: described(
    'Where the result can be downloaded; null while there is none. Read the operation again when the address has expired.',
    Nullable(Type.String()),
  ),
  error: described('Why it failed; null unless it did.', NullableProblemSchema),
});
export type OperationRecord = Static<typeof OperationSchema>;
export type OperationError = NonNullable<OperationRecord['error']>;

/** Filter of lists by kind (contract/operations#operation). */
export const KindFilter = Type.Optional(
  Type.String({
    pattern: '^[a-z][a-z0-9_]{0,63}$',
    description: 'Only items of this kind: lowercase letters, digits and underscores.',
  }),
);

export const OperationPath = Type.Object({ operationId: described('Operation id.', UuidField) });

/** Far below 2^53: it counts units of work. */
const Count = Type.Integer({ minimum: 0, maximum: 999_999_999_999_999 });

export const NewOperationBody = Closed({
  accountId: described('Account that the operation is for.', UuidField),
  kind: described(
    'What it is for.',
    Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$', examples: ['token_import'] }),
  ),
  input: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Input of the work; checked for the kinds that the worker runs.',
    }),
  ),
});

export const ProgressBody = Closed({
  completed: described('Units that are done.', Count),
  total: described('Units of all the work.', Count),
  unit: described('What is counted.', Type.Optional(Type.String({ minLength: 1, maxLength: 64 }))),
});

export const SuccessBody = Closed({
  resultUrl: described(
    'https address of the result, at most 2,048 characters.',
    Type.Optional(Nullable(Type.String({ maxLength: 2_048 }))),
  ),
});

export const FailureBody = Closed({
  code: described('Stable identifier; branch on it.', OneOf(Object.keys(problemTable) as ProblemCode[])),
  detail: described(
    'One sentence for the client.',
    Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 1_024 }))),
  ),
});

export const CancelledOperation = Named('CancelledOperation', {
  ...OperationSchema.properties,
  cancelRequested: described('Whether the operation was asked to stop.', Type.Boolean()),
});
