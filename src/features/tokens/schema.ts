import { type Static, Type } from '@sinclair/typebox';
import { launchTypes, tokenStatuses } from '../../db/values/tokens.ts';
import {
  AddressField,
  Closed,
  CountField,
  DecimalStringField,
  described,
  IntStringField,
  MintAddressField,
  Named,
  Nullable,
  OneOf,
  SignedDecimalStringField,
  SlotField,
  TimestampField,
} from '../../shared/field-schemas.ts';
import { prices } from '../../shared/prices.ts';

/** contract/tokens#token */
export const TokenSchema = Named('Token', {
  mintAddress: MintAddressField,
  creatorWallet: described(
    'Wallet that the pool names as its creator now. Until there is a pool, the wallet that launches the token.',
    AddressField,
  ),
  name: described('Name of the token.', Type.String({ minLength: 1, maxLength: 128 })),
  symbol: described('Ticker of the token.', Type.String({ minLength: 1, maxLength: 32 })),
  description: described('Description by the creator; null if there is none.', Nullable(Type.String())),
  imageUrl: described('Address of the picture; null if there is none.', Nullable(Type.String())),
  decimals: described('Decimal places of the mint.', CountField),
  totalSupply: described('Supply in whole tokens.', DecimalStringField),
  currentPriceInSol: described(prices.token.meaning, Nullable(DecimalStringField)),
  marketCapInSol: described(
    'Price times total supply; null if there is no price.',
    Nullable(DecimalStringField),
  ),
  solCollectedInSol: described('SOL that the curve has collected.', DecimalStringField),
  launchType: described('How the token was launched.', OneOf(launchTypes)),
  status: described('State of the record.', OneOf(tokenStatuses)),
  launchedAt: described('When the pool was created; null until then.', Nullable(TimestampField)),
  graduatedAt: described('When the curve migrated to the AMM; null until then.', Nullable(TimestampField)),
  links: described(
    'Links of the creator.',
    Type.Object({
      telegram: described('Telegram address; null if there is none.', Nullable(Type.String())),
      twitter: described('X (Twitter) address; null if there is none.', Nullable(Type.String())),
      website: described('Website; null if there is none.', Nullable(Type.String())),
    }),
  ),
});
export type Token = Static<typeof TokenSchema>;

/** contract/tokens#rankings */
const RankingSchema = Named('TokenRanking', {
  marketCapInSol: described('Market cap; null if there is no price.', Nullable(DecimalStringField)),
  volumeInSol24h: described('SOL traded in the last 24 hours.', DecimalStringField),
  tradeCount1h: described('Trades of the last hour.', CountField),
  priceChangePercent1h: described(
    'Change of the price in the last hour in percent, cut off after six fractional digits; null if there is no price.',
    Nullable(SignedDecimalStringField),
  ),
  graduationProgress: described(
    'SOL in the curve divided by the SOL at which it is complete, 0 to 1; null while unknown.',
    Nullable(DecimalStringField),
  ),
  lastTradeAt: described('Block time of the last trade; null if there is none.', Nullable(TimestampField)),
});

/** A token in a list: its record, and the values that lists are sorted by. */
export const ListedTokenSchema = Named('ListedToken', {
  ...TokenSchema.properties,
  ranking: described(
    'Values by which lists are sorted, all of the same moment; null during the first second of a token.',
    Nullable(RankingSchema),
  ),
});
export type ListedToken = Static<typeof ListedTokenSchema>;

/** What streams report of a token: its record, and the rest of its market (contract/streams#messages). */
export const StreamedTokenSchema = Type.Composite([
  TokenSchema,
  Type.Object({
    liquidityInSol: Nullable(DecimalStringField),
    holderCount: Nullable(CountField),
  }),
]);
export type StreamedToken = Static<typeof StreamedTokenSchema>;

/** contract/tokens#creator-event */
export const CreatorChangeSchema = Named('CreatorChange', {
  mintAddress: MintAddressField,
  poolAddress: described('The pool of the token, whose account names the creator.', AddressField),
  creatorWallet: described('The present creator.', AddressField),
  previousCreatorWallet: described('The previous creator.', AddressField),
  slot: described('The slot at which the pool was read.', SlotField),
});

/** contract/events#launched-pool */
export const LaunchedTokenSchema = Named('LaunchedToken', {
  ...TokenSchema.properties,
  // Events from before this field have none.
  pool: described(
    'State of the pool when the token was announced; null if no node showed it.',
    Type.Optional(
      Nullable(
        Closed({
          poolAddress: described('Account of the pool.', AddressField),
          programAddress: described('Program of the pool.', AddressField),
          quoteMint: described('Mint of the quote token.', AddressField),
          baseReserveRaw: described('Raw units of the token in the pool.', IntStringField),
          quoteReserveRaw: described('Raw units of the quote mint in the pool.', IntStringField),
          spotPriceInSol: described(prices.graduated.meaning, Nullable(DecimalStringField)),
          slot: SlotField,
        }),
      ),
    ),
  ),
});

export const UpsertedToken = Named('UpsertedToken', {
  mintAddress: MintAddressField,
  created: described('Whether the token is new.', Type.Boolean()),
  events: described('Launch events that were sent.', Type.Array(Type.String())),
});

export const VisibilityBody = Closed({
  hidden: described('Whether the token is hidden everywhere.', Type.Boolean()),
});

export const TokenVisibility = Named('TokenVisibility', {
  mintAddress: MintAddressField,
  hidden: described('Whether the token is hidden everywhere.', Type.Boolean()),
});
