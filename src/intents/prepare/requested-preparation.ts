import { type Static, Type } from '@sinclair/typebox';
import { decodeCanonicalBase64 } from '../../shared/bytes.ts';
import { AddressField, IntStringField, Nullable, UuidField } from '../../shared/field-schemas.ts';
import { openPolicy, type Preparation, PreparationRefused } from './preparation.ts';

/** An intent without a height may wait longer for its wallet, with a durable nonce. */
const EXPIRY_SECONDS_MAX = 30 * 24 * 60 * 60;

/** Absent fields restrict nothing (contract/intents#policy). */
export const RequestedPolicy = Type.Object(
  {
    allowedPrograms: Type.Optional(Type.Array(AddressField, { maxItems: 64 })),
    maxComputeUnitPrice: Type.Optional(
      Nullable(Type.String({ pattern: '^(0|[1-9][0-9]{0,19})$', examples: ['1000000'] })),
    ),
    requireSimulation: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

/** An unsigned transaction in a request of the platform (contract/intents#preparation). */
export const RequestedPreparation = Type.Object(
  {
    accountId: UuidField,
    kind: Type.String({ pattern: '^[a-z][a-z0-9_]*$', maxLength: 64, examples: ['token_transfer'] }),
    expectedSigner: AddressField,
    transaction: Type.String({
      // The largest transaction has 4,096 bytes, which are 5,464 characters.
      maxLength: 5_464,
      description: 'base64 of the wire transaction; the slot of the expected signer is zero',
    }),
    policy: Type.Optional(RequestedPolicy),
    lastValidBlockHeight: Type.Optional(Nullable({ ...IntStringField, pattern: '^(0|[1-9][0-9]{0,17})$' })),
    expiresInSeconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: EXPIRY_SECONDS_MAX,
        description:
          'If unset, as long as the chain is expected to take the blockhash by its measured pace, and 90 s with a durable nonce.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type RequestedPreparation = Static<typeof RequestedPreparation>;

/** Throws PreparationRefused when the text is not base64. */
export function requestedPreparation(request: RequestedPreparation): Preparation {
  const transaction = decodeCanonicalBase64(request.transaction);
  if (transaction === null) throw new PreparationRefused('the transaction must be canonical base64');
  const { accountId, kind, expectedSigner, lastValidBlockHeight = null } = request;
  return {
    accountId: accountId.toLowerCase(),
    kind,
    expectedSigner,
    transaction,
    policy: requestedPolicy(request.policy),
    lastValidBlockHeight: lastValidBlockHeight === null ? null : BigInt(lastValidBlockHeight),
    expiresInMs: request.expiresInSeconds === undefined ? null : request.expiresInSeconds * 1000,
  };
}

export function requestedPolicy(policy: Static<typeof RequestedPolicy> = {}) {
  return {
    allowedPrograms: policy.allowedPrograms ?? openPolicy.allowedPrograms,
    maxComputeUnitPrice: policy.maxComputeUnitPrice ?? openPolicy.maxComputeUnitPrice,
    requireSimulation: policy.requireSimulation ?? openPolicy.requireSimulation,
  };
}
