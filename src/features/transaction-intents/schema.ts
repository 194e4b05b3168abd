import { type Static, Type } from '@sinclair/typebox';
import { intentErrorCodes, intentStatuses } from '../../db/schema/transaction-intents.ts';
import {
  AddressField,
  Closed,
  CompletedAtField,
  DetailField,
  described,
  IdField,
  IntStringField,
  Named,
  Nullable,
  OneOf,
  SentSignatureField,
  TimestampField,
  UuidField,
  VersionField,
} from '../../shared/field-schemas.ts';
import { RequestedPreparation } from './preparation/requested-preparation.ts';

const identifyingFields = {
  id: IdField,
  kind: described('Purpose of the transaction.', Type.String()),
  status: described('State of the record.', OneOf(intentStatuses)),
  expectedSigner: described('The wallet that must sign.', AddressField),
};

const furtherFields = {
  recentBlockhash: described('Blockhash of the transaction.', Nullable(Type.String())),
  lastValidBlockHeight: described(
    'Block height above which the transaction cannot land, at the latest; null where none is known, as with a durable nonce.',
    Nullable(IntStringField),
  ),
  policy: described(
    'What the transaction may do.',
    Type.Object({
      allowedPrograms: described(
        'Programs that the transaction may call; empty for any.',
        Type.Array(AddressField),
      ),
      maxComputeUnitPrice: described(
        'Most micro-lamports per compute unit; null for no bound.',
        Nullable(IntStringField),
      ),
      requireSimulation: described('Whether a simulation must succeed first.', Type.Boolean()),
    }),
  ),
  transactionSignature: SentSignatureField,
  error: described(
    'Why it failed; null unless it did.',
    Nullable(
      Type.Object({
        code: described('Stable identifier; branch on it.', OneOf(intentErrorCodes)),
        detail: DetailField,
      }),
    ),
  ),
  version: VersionField,
  expiresAt: described('When it stops being valid.', TimestampField),
  createdAt: described('When the record was created.', Nullable(TimestampField)),
  submittedAt: described('When it was submitted; null before.', Nullable(TimestampField)),
  completedAt: CompletedAtField,
};

/** An intent in lists: without its bytes (contract/intents#list). */
export const IntentSummarySchema = Named('TransactionIntentSummary', {
  ...identifyingFields,
  ...furtherFields,
});
export type TransactionIntentEvent = Static<typeof IntentSummarySchema>;

/** contract/intents#intent */
export const TransactionIntentSchema = Named('TransactionIntent', {
  ...identifyingFields,
  serializedTransaction: described('The transaction to sign, byte for byte, in base64.', Type.String()),
  ...furtherFields,
});
export type TransactionIntent = Static<typeof TransactionIntentSchema>;

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
          'Why it failed; null unless it did.',
          Nullable(
            Closed({
              code: described(
                'Stable identifier; branch on it.',
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
