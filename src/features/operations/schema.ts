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
import { problemCodes } from '../../shared/problem-table.ts';

/** contract/operations#operation */
export const OperationSchema = Named('Operation', {
  id: IdField,
  kind: described(
    'Purpose of the operation.',
    Type.String({ pattern: '^[a-z][a-z0-9_]*$', examples: ['delivery_replay'] }),
  ),
  status: described('State of the record.', OneOf(operationStatuses)),
  progress: described(
    'Progress of the work; absent until some is reported.',
    Type.Optional(
      Type.Object(
        {
          completed: described('Number of units that are done.', CountField),
          total: described('Number of units of the whole work.', CountField),
          unit: described('Name of the unit.', Type.Optional(Type.String())),
        },
        { additionalProperties: false },
      ),
    ),
  ),
  createdAt: CreatedAtField,
  startedAt: described('When it began; null until then.', Nullable(TimestampField)),
  completedAt: CompletedAtField,
  resultUrl: described(
    'Address at which the result can be downloaded; null while there is none. When the address has expired, read the operation again.',
    Nullable(Type.String()),
  ),
  error: described('Why it failed; null if it did not fail.', NullableProblemSchema),
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
    'Purpose of the operation.',
    Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$', examples: ['token_import'] }),
  ),
  input: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Input of the work; checked for the kinds that the worker runs.',
    }),
  ),
});

export const ProgressBody = Closed({
  completed: described('Number of units that are done.', Count),
  total: described('Number of units of the whole work.', Count),
  unit: described('Name of the unit.', Type.Optional(Type.String({ minLength: 1, maxLength: 64 }))),
});

export const SuccessBody = Closed({
  resultUrl: described(
    'https address of the result, at most 2,048 characters.',
    Type.Optional(Nullable(Type.String({ maxLength: 2_048 }))),
  ),
});

export const FailureBody = Closed({
  code: described('Stable identifier. Branch on it.', OneOf(problemCodes)),
  detail: described(
    'One sentence for the client.',
    Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 1_024 }))),
  ),
});

export const CancelledOperation = Named('CancelledOperation', {
  ...OperationSchema.properties,
  cancelRequested: described('Whether the operation was asked to stop.', Type.Boolean()),
});
