import { Type } from '@sinclair/typebox';
import { launchStatuses } from '../../db/schema/launches.ts';
import {
  AddressField,
  IntStringField,
  Nullable,
  OneOf,
  TimestampField,
  UuidField,
} from '../../shared/field-schemas.ts';

const LINK_LENGTH_MAX = 2_048;
const LinkField = Type.Optional(Nullable(Type.String({ maxLength: LINK_LENGTH_MAX })));

/** contract/launches#launch */
export const LaunchSchema = Type.Object(
  {
    id: UuidField,
    mintAddress: AddressField,
    creatorWallet: AddressField,
    status: OneOf(launchStatuses),
    poolAddress: Nullable(AddressField),
    name: Type.String(),
    symbol: Type.String(),
    description: Nullable(Type.String()),
    imageUrl: Nullable(Type.String()),
    links: Type.Object({
      telegram: Nullable(Type.String()),
      twitter: Nullable(Type.String()),
      website: Nullable(Type.String()),
    }),
    metadataUrl: Type.String(),
    initialBuy: Nullable(
      Type.Object({
        amountRaw: IntStringField,
        slippageBps: Type.Integer({ minimum: 0, maximum: 10_000 }),
        amountOutRaw: IntStringField,
        minimumOutRaw: IntStringField,
      }),
    ),
    tipLamports: IntStringField,
    intentId: UuidField,
    intentUrl: Type.String(),
    transactionSignature: Nullable(Type.String()),
    error: Nullable(Type.Object({ code: Type.String(), detail: Type.String() })),
    createdAt: TimestampField,
    completedAt: Nullable(TimestampField),
  },
  { $id: 'Launch', additionalProperties: false },
);

export const LaunchPath = Type.Object({ launchId: UuidField });
export const MetadataPath = Type.Object({ mint: AddressField });

/** contract/launches#metadata */
export const MetadataSchema = Type.Object(
  {
    name: Type.String(),
    symbol: Type.String(),
    description: Type.String(),
    image: Type.Optional(Type.String()),
    external_url: Type.Optional(Type.String()),
    extensions: Type.Object({
      telegram: Type.Optional(Type.String()),
      twitter: Type.Optional(Type.String()),
      website: Type.Optional(Type.String()),
    }),
  },
  { $id: 'TokenMetadata', additionalProperties: false },
);

/** Lengths here are a first bound in characters; bytes are counted by the rule of texts. */
export const NewLaunchBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 32, description: 'at most 32 bytes in UTF-8' }),
    symbol: Type.String({ minLength: 1, maxLength: 10, description: 'at most 10 bytes in UTF-8' }),
    description: Type.Optional(Nullable(Type.String({ maxLength: 1_000 }))),
    imageUrl: Type.Optional(
      Nullable(
        Type.String({ maxLength: LINK_LENGTH_MAX, description: 'https, ipfs or ar address of a picture' }),
      ),
    ),
    links: Type.Optional(
      Type.Object(
        { telegram: LinkField, twitter: LinkField, website: LinkField },
        { additionalProperties: false },
      ),
    ),
    initialBuy: Type.Optional(
      Nullable(
        Type.Object(
          {
            amountRaw: Type.String({
              pattern: '^[1-9][0-9]{0,19}$',
              description: 'lamports that go in, fee included',
              examples: ['100000000'],
            }),
            slippageBps: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
          },
          { additionalProperties: false },
        ),
      ),
    ),
  },
  { additionalProperties: false },
);
