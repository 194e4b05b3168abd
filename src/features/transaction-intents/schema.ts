import { Type } from '@sinclair/typebox';
import { intentErrorCodes, intentStatuses } from '../../db/schema/transaction-intents.ts';
import {
  AddressField,
  IntStringField,
  Nullable,
  OneOf,
  TimestampField,
  UuidField,
} from '../../shared/field-schemas.ts';
import { RequestedPreparation } from './preparation/requested-preparation.ts';

const identifyingFields = {
  id: UuidField,
  kind: Type.String(),
  status: OneOf(intentStatuses),
  expectedSigner: AddressField,
};

const furtherFields = {
  recentBlockhash: Nullable(Type.String()),
  lastValidBlockHeight: Nullable(IntStringField),
  policy: Type.Object({
    allowedPrograms: Type.Array(AddressField),
    maxComputeUnitPrice: Nullable(IntStringField),
    requireSimulation: Type.Boolean(),
  }),
  transactionSignature: Nullable(Type.String()),
  error: Nullable(Type.Object({ code: OneOf(intentErrorCodes), detail: Type.String() })),
  version: Type.Integer({ minimum: 1 }),
  expiresAt: TimestampField,
  createdAt: Nullable(TimestampField),
  submittedAt: Nullable(TimestampField),
  completedAt: Nullable(TimestampField),
};

/** The intent without its bytes, as lists show it (contract/intents#list). */
export const IntentSummarySchema = Type.Object(
  { ...identifyingFields, ...furtherFields },
  { $id: 'TransactionIntentSummary', additionalProperties: false },
);

/** contract/intents#intent */
export const TransactionIntentSchema = Type.Object(
  {
    ...identifyingFields,
    serializedTransaction: Type.String({ description: 'base64 of the transaction to sign byte for byte' }),
    ...furtherFields,
  },
  { $id: 'TransactionIntent', additionalProperties: false },
);

/** Filter of lists by kind (contract/intents#intent). */
export const IntentKindFilter = Type.Optional(
  Type.String({
    pattern: '^[a-z][a-z0-9_]*$',
    maxLength: 64,
    description: 'a kind: lowercase letters, digits and underscores',
  }),
);

export const IntentPath = Type.Object({ intentId: UuidField });

export const SubmissionBody = Type.Object(
  {
    signedTransaction: Type.String({
      // 4,096 bytes, the largest transaction, are 5,464 characters.
      maxLength: 5_464,
      description: 'base64 of the wallet-signed prepared transaction',
    }),
    version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
  },
  { additionalProperties: false },
);

/** Preparations of one request. */
export const BATCH_MAX = 100;

export const PreparationBatch = Type.Object(
  { preparations: Type.Array(RequestedPreparation, { minItems: 1, maxItems: BATCH_MAX }) },
  { additionalProperties: false },
);

/** In the order of the batch: one of the two is null. */
export const PreparedBatch = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          intent: Nullable(TransactionIntentSchema),
          error: Nullable(
            Type.Object(
              {
                code: OneOf(['validation_failed', 'api_dependency_unavailable']),
                detail: Type.String(),
                field: Type.String({ description: 'JSON Pointer into the preparation' }),
              },
              { additionalProperties: false },
            ),
          ),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { $id: 'PreparedBatch', additionalProperties: false },
);
