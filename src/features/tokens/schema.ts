import { Type } from '@sinclair/typebox';
import { launchTypes, tokenStatuses } from '../../db/schema/tokens.ts';
import {
  AddressField,
  DecimalStringField,
  IntStringField,
  Nullable,
  OneOf,
  TimestampField,
} from '../../shared/field-schemas.ts';

/** contract/tokens#token */
export const TokenSchema = Type.Object(
  {
    mintAddress: AddressField,
    creatorWallet: AddressField,
    name: Type.String({ minLength: 1, maxLength: 128 }),
    symbol: Type.String({ minLength: 1, maxLength: 32 }),
    description: Nullable(Type.String()),
    imageUrl: Nullable(Type.String()),
    decimals: Type.Integer({ minimum: 0 }),
    totalSupply: DecimalStringField,
    currentPriceInSol: Nullable(DecimalStringField),
    marketCapInSol: Nullable(DecimalStringField),
    solCollectedInSol: DecimalStringField,
    launchType: OneOf(launchTypes),
    status: OneOf(tokenStatuses),
    launchedAt: Nullable(TimestampField),
    graduatedAt: Nullable(TimestampField),
    links: Type.Object({
      telegram: Nullable(Type.String()),
      twitter: Nullable(Type.String()),
      website: Nullable(Type.String()),
    }),
  },
  { $id: 'Token', additionalProperties: false },
);

/** contract/events#launched-pool */
export const LaunchedTokenSchema = Type.Object(
  {
    ...TokenSchema.properties,
    // Events from before this field have none.
    pool: Type.Optional(
      Nullable(
        Type.Object(
          {
            poolAddress: AddressField,
            programAddress: AddressField,
            quoteMint: AddressField,
            baseReserveRaw: IntStringField,
            quoteReserveRaw: IntStringField,
            spotPriceInSol: Nullable(DecimalStringField),
            slot: IntStringField,
          },
          { additionalProperties: false },
        ),
      ),
    ),
  },
  { $id: 'LaunchedToken', additionalProperties: false },
);

export const MintPath = Type.Object({ mint: AddressField });

export const UpsertedToken = Type.Object(
  { mintAddress: AddressField, created: Type.Boolean(), events: Type.Array(Type.String()) },
  { $id: 'UpsertedToken', additionalProperties: false },
);

export const VisibilityBody = Type.Object({ hidden: Type.Boolean() }, { additionalProperties: false });

export const TokenVisibility = Type.Object(
  { mintAddress: AddressField, hidden: Type.Boolean() },
  { $id: 'TokenVisibility', additionalProperties: false },
);
