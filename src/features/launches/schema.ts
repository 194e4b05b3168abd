import { type Static, Type } from '@sinclair/typebox';
import { launchStatuses } from '../../db/values/launches.ts';
import { paginationFields } from '../../http/lists/pages.ts';
import { TransactionIntentSchema } from '../../intents/schema.ts';
import { SendingSchema, sendingFields } from '../../intents/sending-schema.ts';
import {
  AddressField,
  Closed,
  CodeField,
  CompletedAtField,
  CreatedAtField,
  DetailField,
  described,
  IdField,
  IntStringField,
  MintAddressField,
  Named,
  Nullable,
  OneOf,
  SentSignatureField,
  UuidField,
} from '../../shared/field-schemas.ts';
import { ConfigNameField, FirstBuyAmountField, FirstBuySlippageField } from './configs/schema.ts';

const LINK_LENGTH_MAX = 2_048;
const LinkField = Type.Optional(Nullable(Type.String({ maxLength: LINK_LENGTH_MAX })));

/** contract/launches#launch */
export const LaunchSchema = Named('Launch', {
  id: IdField,
  mintAddress: MintAddressField,
  creatorWallet: described('Wallet that created the token.', AddressField),
  status: described('State of the record.', OneOf(launchStatuses)),
  poolAddress: described('Account of the pool; null until the chain shows it.', Nullable(AddressField)),
  name: described('Name of the token.', Type.String()),
  symbol: described('Ticker of the token.', Type.String()),
  description: described('Description by the creator; null if there is none.', Nullable(Type.String())),
  imageUrl: described('Address of the picture; null if there is none.', Nullable(Type.String())),
  links: described(
    'Links of the creator.',
    Type.Object({
      telegram: described('Telegram address; null if there is none.', Nullable(Type.String())),
      twitter: described('X (Twitter) address; null if there is none.', Nullable(Type.String())),
      website: described('Website; null if there is none.', Nullable(Type.String())),
    }),
  ),
  metadataUrl: described('Address of the metadata document of the mint.', Type.String()),
  config: described('Name of the launch config.', Type.String()),
  configAddress: described('Config account of the bonding curve.', AddressField),
  initialBuy: described(
    'The creator’s buy in the same transaction; null if there is none.',
    Nullable(
      Type.Object({
        amountRaw: described('Lamports to spend, including the fee.', IntStringField),
        slippageBps: FirstBuySlippageField,
        amountOutRaw: described('Base units that the creator is expected to get.', IntStringField),
        minimumOutRaw: described('Smallest number of base units that the program accepts.', IntStringField),
      }),
    ),
  ),
  tipLamports: described(
    'Tip of the transaction to a landing service, in addition to fees; 0 if none is configured.',
    IntStringField,
  ),
  intentId: described('The transaction intent to sign and submit.', UuidField),
  intentUrl: described('Address at which the intent can be read.', Type.String()),
  transactionSignature: SentSignatureField,
  error: described(
    'Why it failed; null if it did not fail.',
    Nullable(
      Type.Object({
        code: CodeField,
        detail: DetailField,
      }),
    ),
  ),
  createdAt: CreatedAtField,
  completedAt: CompletedAtField,
});
export type Launch = Static<typeof LaunchSchema>;

/** contract/launches#prepared */
export const PreparedLaunchSchema = Named('PreparedLaunch', {
  ...LaunchSchema.properties,
  sending: SendingSchema,
  intent: TransactionIntentSchema,
});
export type FirstBuy = NonNullable<Launch['initialBuy']>;

export const LaunchesQuery = Type.Object({
  ...paginationFields,
  status: described('Only items with this status.', Type.Optional(OneOf(launchStatuses))),
});

export const LaunchPath = Type.Object({ launchId: described('Launch id.', UuidField) });

/** contract/launches#metadata */
export const MetadataSchema = Named('TokenMetadata', {
  name: described('Name of the token.', Type.String()),
  symbol: described('Ticker of the token.', Type.String()),
  description: described('Description by the creator; empty if there is none.', Type.String()),
  image: described('Address of the picture.', Type.Optional(Type.String())),
  external_url: described('Website of the token.', Type.Optional(Type.String())),
  extensions: described(
    'Links of the token.',
    Type.Object({
      telegram: described('Telegram address.', Type.Optional(Type.String())),
      twitter: described('X (Twitter) address.', Type.Optional(Type.String())),
      website: described('Website.', Type.Optional(Type.String())),
    }),
  ),
});
export type MetadataDocument = Static<typeof MetadataSchema>;

/** Lengths here are a first bound in characters; `readTexts` counts bytes. */
export const NewLaunchBody = Closed({
  name: described(
    'Name of the token, at most 32 bytes in UTF-8.',
    Type.String({ minLength: 1, maxLength: 32 }),
  ),
  symbol: described(
    'Ticker of the token, at most 10 bytes in UTF-8.',
    Type.String({ minLength: 1, maxLength: 10 }),
  ),
  description: described(
    'Description by the creator; null if there is none.',
    Type.Optional(Nullable(Type.String({ maxLength: 1_000 }))),
  ),
  imageUrl: described(
    'Address of the picture: https, ipfs or ar, or the `imageUrl` of an uploaded image; null for no picture.',
    LinkField,
  ),
  links: described(
    'Links of the creator.',
    Type.Optional(
      Closed({
        telegram: described('Telegram address; null if there is none.', LinkField),
        twitter: described('X (Twitter) address; null if there is none.', LinkField),
        website: described('Website; null if there is none.', LinkField),
      }),
    ),
  ),
  config: described(
    'Name of a launch config from `listLaunchConfigs`. If unset, the default config is used.',
    Type.Optional(ConfigNameField),
  ),
  initialBuy: described(
    'The creator’s buy in the same transaction; null if there is none.',
    Type.Optional(
      Nullable(
        Closed({
          amountRaw: FirstBuyAmountField,
          slippageBps: Type.Optional(FirstBuySlippageField),
        }),
      ),
    ),
  ),
  ...sendingFields,
});
