import { Type } from '@sinclair/typebox';
import { holderProvenances } from '../../db/schema/indexer.ts';
import { candleIntervals, tradeTypes } from '../../db/schema/trades.ts';
import { PageOf, paginationFields } from '../../http/pagination.ts';
import { publishedLimits } from '../../shared/contract-limits.ts';
import {
  AddressField,
  DecimalStringField,
  IntStringField,
  Nullable,
  OneOf,
  SignatureField,
  TimestampField,
  UuidField,
} from '../../shared/field-schemas.ts';
import { type CandlePrice, candlePrices } from './list-candles.ts';
import { bucketKeys } from './supply/buckets.ts';

export const MintPath = Type.Object({ mint: AddressField });
export const WalletPath = Type.Object({ address: AddressField });

/** contract/market-data#snapshot; an unknown figure is null, never 0. */
export const MarketSnapshotSchema = Type.Object(
  {
    mintAddress: AddressField,
    asOf: TimestampField,
    priceInSol: Nullable(DecimalStringField),
    marketCapInSol: Nullable(DecimalStringField),
    liquidityInSol: Nullable(DecimalStringField),
    totalSupply: DecimalStringField,
    holderCount: Nullable(Type.Integer({ minimum: 0 })),
    provenance: OneOf(['service-indexer']),
  },
  { $id: 'MarketSnapshot', additionalProperties: false },
);

/** contract/market-data#trades */
export const TradeSchema = Type.Object(
  {
    id: UuidField,
    mintAddress: AddressField,
    type: OneOf(tradeTypes),
    traderWallet: AddressField,
    solAmount: DecimalStringField,
    tokenAmount: DecimalStringField,
    pricePerTokenInSol: DecimalStringField,
    spotPriceInSol: Nullable(DecimalStringField),
    slot: IntStringField,
    blockTime: TimestampField,
    transactionSignature: Type.String(),
  },
  { $id: 'Trade', additionalProperties: false },
);

/** A page of trades, with how far they are proven to be complete (contract/market-data#proven-time). */
export const TradesSchema = Type.Object({ asOf: TimestampField, ...PageOf(TradeSchema).properties });

export const TradeQuery = Type.Object({
  ...paginationFields,
  signature: Type.Optional(
    Type.String({ ...SignatureField, description: 'only the trades of the transaction with this signature' }),
  ),
});

export const CandleQuery = Type.Object({
  from: Type.String({ ...TimestampField, examples: ['2026-11-20T10:00:00.000Z'] }),
  to: Type.String({ ...TimestampField, examples: ['2026-11-20T11:00:00.000Z'] }),
  interval: OneOf(candleIntervals),
  price: Type.Unsafe<CandlePrice>({
    ...OneOf(candlePrices),
    default: 'trade',
    description:
      '`trade`: what traders paid or received, fees counted. `spot`: the price of the pool after each trade.',
  }),
});

/** contract/market-data#candles: oldest first, no holes from the first trade on. `from` and `to` are the requested instants in UTC. */
export const CandlesSchema = Type.Object(
  {
    mintAddress: AddressField,
    interval: OneOf(candleIntervals),
    from: TimestampField,
    to: TimestampField,
    asOf: TimestampField,
    data: Type.Array(
      Type.Object(
        {
          openTime: TimestampField,
          open: DecimalStringField,
          high: DecimalStringField,
          low: DecimalStringField,
          close: DecimalStringField,
          volumeInSol: DecimalStringField,
          volumeInToken: DecimalStringField,
          tradeCount: Type.Integer({ minimum: 0 }),
          closed: Type.Boolean(),
        },
        { additionalProperties: false },
      ),
      { maxItems: publishedLimits.candlePoints },
    ),
  },
  { $id: 'Candles', additionalProperties: false },
);

/** contract/market-data#holder-stats */
export const HolderStatsSchema = Type.Object(
  {
    mintAddress: AddressField,
    holderCount: Type.Integer({ minimum: 0 }),
    provenance: OneOf(holderProvenances),
    slot: IntStringField,
    asOf: TimestampField,
  },
  { $id: 'HolderStats', additionalProperties: false },
);

/** contract/market-data#holdings */
export const WalletHoldingsSchema = Type.Object(
  {
    asOf: TimestampField,
    data: Type.Array(
      Type.Object(
        {
          mintAddress: AddressField,
          name: Type.String(),
          symbol: Type.String(),
          imageUrl: Nullable(Type.String()),
          decimals: Type.Integer({ minimum: 0 }),
          amountRaw: IntStringField,
          valueInSol: Nullable(DecimalStringField),
        },
        { additionalProperties: false },
      ),
      { maxItems: publishedLimits.walletHoldings },
    ),
  },
  { $id: 'WalletHoldings', additionalProperties: false },
);

/** contract/supply#composition; unavailable ones keep the remaining fields null or empty. */
export const SupplyCompositionSchema = Type.Object(
  {
    mintAddress: AddressField,
    available: Type.Boolean(),
    unavailableReason: Nullable(OneOf(['not_launched', 'chain_unavailable'])),
    computedAt: TimestampField,
    slot: Nullable(Type.Integer({ minimum: 0 })),
    tokenDecimals: Nullable(Type.Integer({ minimum: 0 })),
    totalSupply: Nullable(IntStringField),
    lifecycle: Nullable(OneOf(['bonding', 'migrating', 'graduated'])),
    reads: Nullable(OneOf(['complete', 'partial'])),
    unreadBuckets: Type.Array(OneOf(bucketKeys)),
    buckets: Type.Array(
      Type.Object(
        {
          key: OneOf(bucketKeys),
          amount: IntStringField,
          percentage: Type.Number({ minimum: 0, maximum: 100 }),
          addresses: Type.Array(AddressField),
        },
        { additionalProperties: false },
      ),
    ),
    authorities: Nullable(
      Type.Object({
        mintAuthority: Nullable(AddressField),
        freezeAuthority: Nullable(AddressField),
        tokenProgram: OneOf(['spl_token', 'token_2022']),
        extensions: Type.Array(Type.String()),
      }),
    ),
    lpLock: Nullable(
      Type.Object({
        poolAddress: AddressField,
        positionCount: Type.Integer({ minimum: 0 }),
        permanentlyLockedBps: Type.Integer({ minimum: 0, maximum: 10_000 }),
        hasUnlockedLiquidity: Type.Boolean(),
        isFullyPermanentlyLocked: Type.Boolean(),
      }),
    ),
  },
  { $id: 'SupplyComposition', additionalProperties: false },
);
