import { type Static, Type } from '@sinclair/typebox';
import { holderProvenances } from '../../db/values/holders.ts';
import { candleIntervals, tradeTypes } from '../../db/values/trades.ts';
import { PageOf, paginationFields } from '../../http/lists/pages.ts';
import { publishedLimits } from '../../shared/contract-limits.ts';
import {
  AddressField,
  AsOfField,
  Closed,
  CountField,
  DecimalStringField,
  described,
  IdField,
  IntStringField,
  MintAddressField,
  Named,
  Nullable,
  OneOf,
  RequestedDecimalField,
  SignatureField,
  SlotField,
  TimestampField,
} from '../../shared/field-schemas.ts';
import { prices } from '../../shared/prices.ts';
import { type CandlePrice, candlePrices } from './candle-window.ts';
import { bucketKeys } from './supply/buckets.ts';

/** contract/market-data#snapshot; an unknown figure is null, never 0. */
export const MarketSnapshotSchema = Named('MarketSnapshot', {
  mintAddress: MintAddressField,
  asOf: AsOfField,
  priceInSol: described(prices.market.meaning, Nullable(DecimalStringField)),
  marketCapInSol: described(
    'Price times total supply; null if there is no price.',
    Nullable(DecimalStringField),
  ),
  liquidityInSol: described('SOL in the pool; null while unknown.', Nullable(DecimalStringField)),
  totalSupply: described('Supply in whole tokens.', DecimalStringField),
  holderCount: described('Wallets that hold the token; null while unknown.', Nullable(CountField)),
  provenance: described('Source of the figure.', OneOf(['service-indexer'])),
});
export type MarketSnapshot = Static<typeof MarketSnapshotSchema>;

/** contract/market-data#trades */
export const TradeSchema = Named('Trade', {
  id: IdField,
  mintAddress: MintAddressField,
  type: described('Whether the token was bought or sold.', OneOf(tradeTypes)),
  traderWallet: described('Wallet that traded.', AddressField),
  solAmount: described('Amount of SOL traded.', DecimalStringField),
  tokenAmount: described('Amount of whole tokens traded.', DecimalStringField),
  pricePerTokenInSol: described(prices.trade.meaning, DecimalStringField),
  spotPriceInSol: described(prices.tradeSpot.meaning, Nullable(DecimalStringField)),
  slot: SlotField,
  blockTime: described('Block time of the chain.', TimestampField),
  transactionSignature: described('Signature of the transaction that traded.', Type.String()),
});
export type Trade = Static<typeof TradeSchema>;

/** A page of trades, with how far they are proven to be complete (contract/market-data#proven-time). */
export const TradesSchema = Type.Object({ asOf: AsOfField, ...PageOf(TradeSchema).properties });
export type Trades = Static<typeof TradesSchema>;

export const TradeQuery = Type.Object({
  ...paginationFields,
  signature: Type.Optional(
    described('Only the trades of the transaction with this signature.', SignatureField),
  ),
  traderWallet: Type.Optional(described('Only the trades of this wallet.', AddressField)),
  type: Type.Optional(described('Only purchases, or only sales.', OneOf(tradeTypes))),
  minSolAmount: Type.Optional(
    described('Only trades of at least this amount of SOL.', RequestedDecimalField),
  ),
  from: Type.Optional(described('Only trades with this block time or a later one.', TimestampField)),
  to: Type.Optional(described('Only trades with an earlier block time.', TimestampField)),
});

export const CandleQuery = Type.Object({
  from: described('Start of the window, included.', TimestampField),
  to: Type.String({
    ...TimestampField,
    description: 'End of the window, not included.',
    examples: ['2026-11-20T11:00:00.000Z'],
  }),
  interval: described('Length of one candle; candles are aligned to the Unix epoch.', OneOf(candleIntervals)),
  price: Type.Unsafe<CandlePrice>({
    ...OneOf(candlePrices),
    default: 'trade',
    description:
      '`trade`: the price that traders paid or received, including fees, in trades of at least 100,000 lamports and 10,000 raw units. `spot`: the price of the pool after each trade.',
  }),
});

/** contract/market-data#candles: oldest first, no holes from the first trade on. `from` and `to` are the requested instants in UTC. */
export const CandlesSchema = Named('Candles', {
  mintAddress: MintAddressField,
  interval: described('Length of a candle.', OneOf(candleIntervals)),
  from: described('Start of the window, included.', TimestampField),
  to: described('End of the window, not included.', TimestampField),
  asOf: AsOfField,
  data: described(
    'The candles, oldest first.',
    Type.Array(
      Closed({
        openTime: described('When the candle begins.', TimestampField),
        open: described('First price.', DecimalStringField),
        high: described('Highest price.', DecimalStringField),
        low: described('Lowest price.', DecimalStringField),
        close: described('Last price.', DecimalStringField),
        volumeInSol: described('SOL traded in the candle.', DecimalStringField),
        volumeInToken: described('Whole tokens traded in the candle.', DecimalStringField),
        tradeCount: described('Trades in the candle.', CountField),
        closed: described(
          'True if the candle has ended and all its trades are proven to be read. It then never changes.',
          Type.Boolean(),
        ),
      }),
      { maxItems: publishedLimits.candlePoints },
    ),
  ),
});
export type CandleList = Static<typeof CandlesSchema>;
export type PublishedCandle = CandleList['data'][number];

/** A candle with what it is a candle of (contract/streams#messages). */
export const StreamedBarSchema = Type.Composite([
  Type.Object({ mintAddress: AddressField, interval: OneOf(candleIntervals) }),
  CandlesSchema.properties.data.items,
]);
export type StreamedBar = Static<typeof StreamedBarSchema>;

/** contract/market-data#holder-stats */
export const HolderStatsSchema = Named('HolderStats', {
  mintAddress: MintAddressField,
  holderCount: described('Wallets that hold the token.', CountField),
  provenance: described('Source of the figure.', OneOf(holderProvenances)),
  slot: SlotField,
  asOf: AsOfField,
});
export type HolderStats = Static<typeof HolderStatsSchema>;

/** contract/market-data#holdings */
export const WalletHoldingsSchema = Named('WalletHoldings', {
  asOf: AsOfField,
  data: described(
    'Tokens of the wallet, the most valuable first.',
    Type.Array(
      Closed({
        mintAddress: MintAddressField,
        name: described('Name of the token.', Type.String()),
        symbol: described('Ticker of the token.', Type.String()),
        imageUrl: described('Address of the picture; null if there is none.', Nullable(Type.String())),
        decimals: described('Decimal places of the mint.', CountField),
        amountRaw: described('Amount in raw units.', IntStringField),
        valueInSol: described(
          'Exact product of the amount in whole tokens and the published price; null if there is no price.',
          Nullable(DecimalStringField),
        ),
      }),
      { maxItems: publishedLimits.walletHoldings },
    ),
  ),
});
export type WalletHoldings = Static<typeof WalletHoldingsSchema>;
export type WalletHolding = WalletHoldings['data'][number];

/** contract/supply#composition; unavailable ones keep the remaining fields null or empty. */
export const SupplyCompositionSchema = Named('SupplyComposition', {
  mintAddress: MintAddressField,
  available: described('Whether the composition could be read completely.', Type.Boolean()),
  unavailableReason: described(
    'Why the composition is incomplete; null if it is complete.',
    Nullable(OneOf(['not_launched', 'chain_unavailable'])),
  ),
  computedAt: described('When this was computed.', TimestampField),
  slot: described('Slot at which the accounts were read; null if they were not read.', Nullable(CountField)),
  tokenDecimals: described('Decimal places of the mint.', Nullable(CountField)),
  totalSupply: described('Total supply in raw units; null while unknown.', Nullable(IntStringField)),
  lifecycle: described(
    'Whether the token trades on the curve, migrates, or trades on the AMM; null while unknown.',
    Nullable(OneOf(['bonding', 'migrating', 'graduated'])),
  ),
  reads: described(
    'Whether every account could be read; null if none was read.',
    Nullable(OneOf(['complete', 'partial'])),
  ),
  unreadBuckets: described('Parts that could not be read.', Type.Array(OneOf(bucketKeys))),
  buckets: described(
    'The parts of the supply.',
    Type.Array(
      Closed({
        key: described('Name of the part.', OneOf(bucketKeys)),
        amount: described('Amount in raw units.', IntStringField),
        percentage: described(
          'Share of the total supply, in percent.',
          Type.Number({ minimum: 0, maximum: 100 }),
        ),
        addresses: described('Accounts that hold this part.', Type.Array(AddressField)),
      }),
    ),
  ),
  authorities: described(
    'Who may change the mint; null if the mint could not be read.',
    Nullable(
      Type.Object({
        mintAuthority: described('Who may mint more tokens; null if nobody may.', Nullable(AddressField)),
        freezeAuthority: described('Who may freeze accounts; null if nobody may.', Nullable(AddressField)),
        tokenProgram: described('Token program that owns the mint.', OneOf(['spl_token', 'token_2022'])),
        extensions: described('Extensions of Token-2022 that the mint carries.', Type.Array(Type.String())),
      }),
    ),
  ),
  lpLock: described(
    'How the liquidity is locked; null on the curve.',
    Nullable(
      Type.Object({
        poolAddress: described('Account of the pool.', AddressField),
        positionCount: described('Liquidity positions of the pool.', CountField),
        permanentlyLockedBps: described(
          'Share of the liquidity that is locked for ever, in whole basis points, rounded down.',
          Type.Integer({ minimum: 0, maximum: 10_000 }),
        ),
        hasUnlockedLiquidity: described(
          'Whether some position can withdraw liquidity now. Liquidity that is still vesting cannot be withdrawn.',
          Type.Boolean(),
        ),
        isFullyPermanentlyLocked: described('Whether all liquidity is locked for ever.', Type.Boolean()),
      }),
    ),
  ),
});
export type SupplyComposition = Static<typeof SupplyCompositionSchema>;
export type LiquidityLock = NonNullable<SupplyComposition['lpLock']>;
