import { Type } from '@sinclair/typebox';
import { RequestedPreparation } from '../../intents/prepare/requested-preparation.ts';
import { TransactionIntentSchema } from '../../intents/schema.ts';
import {
  Closed,
  DetailField,
  described,
  Named,
  Nullable,
  OneOf,
  UuidField,
} from '../../shared/field-schemas.ts';

/** Filter of lists by kind (contract/intents#intent). */
export const IntentKindFilter = Type.Optional(
  Type.String({
    pattern: '^[a-z][a-z0-9_]*$',
    maxLength: 64,
    description: 'Only items of this kind: lowercase letters, digits and underscores.',
  }),
);

export const IntentPath = Type.Object({
  intentId: described('Transaction intent id, as returned by the flow that prepared it.', UuidField),
});

export const SubmissionBody = Closed({
  signedTransaction: Type.String({
    // The largest transaction has 4,096 bytes, which are 5,464 characters.
    maxLength: 5_464,
    description: 'The prepared transaction with the signature of the wallet filled in, in base64.',
  }),
  version: described(
    'Version of the record, for `If-Match`.',
    Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
  ),
});

/** Maximum number of preparations of one request. */
export const BATCH_MAX = 100;

export const PreparationBatch = Closed({
  preparations: described(
    'Transactions to prepare.',
    Type.Array(RequestedPreparation, { minItems: 1, maxItems: BATCH_MAX }),
  ),
});

/** In the order of the batch; exactly one of the two fields is null. */
export const PreparedBatch = Named('PreparedBatch', {
  results: described(
    'One for each preparation, in their order.',
    Type.Array(
      Closed({
        intent: described('The prepared intent; null when it failed.', Nullable(TransactionIntentSchema)),
        error: described(
          'Why it failed; null if it did not fail.',
          Nullable(
            Closed({
              code: described(
                'Stable identifier. Branch on it.',
                OneOf(['validation_failed', 'api_dependency_unavailable']),
              ),
              detail: DetailField,
              field: described('JSON Pointer into the preparation.', Type.String()),
            }),
          ),
        ),
      }),
    ),
  ),
});
