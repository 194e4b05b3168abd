import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { unpublishedLimits } from '../../../shared/contract-limits.ts';
import {
  AsOfField,
  Closed,
  CountField,
  DecimalStringField,
  described,
  MintAddressField,
  Named,
  Nullable,
  OneOf,
  SignedDecimalStringField,
  TimestampField,
} from '../../../shared/field-schemas.ts';
import { MINTS_LENGTH_MAX } from '../../../shared/requested-mints.ts';
import { type StatsWindow, statsWindows } from './windows.ts';

/** Why `graduationProgress` is null (contract/market-data#graduation-progress). */
export const unknownProgressReasons = ['no_curve', 'threshold_unknown', 'reserve_unknown'] as const;

/** Figures of one window (contract/market-data#stats). */
const WindowFields = Named('WindowStats', {
  from: described('Start of the window, a whole minute, included.', TimestampField),
  tradeCount: described('Trades in the window.', CountField),
  buyCount: described('Number of buys.', CountField),
  sellCount: described('Number of sells.', CountField),
  buyerCount: described(
    'Number of distinct wallets that bought; null while they are being counted.',
    Nullable(CountField),
  ),
  sellerCount: described(
    'Number of distinct wallets that sold; null while they are being counted.',
    Nullable(CountField),
  ),
  volumeInSol: described('SOL traded.', DecimalStringField),
  volumeInToken: described('Whole tokens traded.', DecimalStringField),
  buyVolumeInSol: described('SOL that buyers paid.', DecimalStringField),
  sellVolumeInSol: described('SOL that sellers received.', DecimalStringField),
  open: described(
    'Last price of the pool before the window. If there is none, the first price in the window.',
    Nullable(DecimalStringField),
  ),
  high: described(
    'Highest price in the window. If there was no trade, the same as `open`.',
    Nullable(DecimalStringField),
  ),
  low: described(
    'Lowest price in the window. If there was no trade, the same as `open`.',
    Nullable(DecimalStringField),
  ),
  close: described('Last price of the pool; null before the first trade.', Nullable(DecimalStringField)),
  priceChangePercent: described(
    'Change from `open` to `close`, in percent, cut off after six fractional digits; null if `open` is not above zero.',
    Nullable(SignedDecimalStringField),
  ),
});
export const WindowStatsSchema = described('Figures of the window.', WindowFields);
export type WindowStats = Static<typeof WindowStatsSchema>;

/** An object with a field for each window, in their order. */
export function ByWindow<Fields extends TSchema>(fields: Fields) {
  const entries = statsWindows.map((window) => [window, fields] as const);
  return Closed(Object.fromEntries(entries) as Record<StatsWindow, Fields>);
}

/** contract/market-data#stats */
export const TokenStatsSchema = Named('TokenStats', {
  mintAddress: MintAddressField,
  asOf: AsOfField,
  windows: described('Figures by window.', ByWindow(WindowStatsSchema)),
  graduationProgress: described(
    'SOL in the curve divided by the SOL at which it is complete, from 0 to 1, cut off after 18 fractional digits; 1 once the curve is complete, null while unknown.',
    Nullable(DecimalStringField),
  ),
  graduationProgressUnknown: described(
    'Why the progress is null: the token has no curve, the terms of its curve were not read yet, or its trades come from a source that reports no reserve.',
    Nullable(OneOf(unknownProgressReasons)),
  ),
  graduationThresholdInSol: described(
    'SOL in the curve at which it is complete; null while unknown.',
    Nullable(DecimalStringField),
  ),
  solCollectedInSol: described('SOL in the curve.', DecimalStringField),
});
export type TokenStats = Static<typeof TokenStatsSchema>;

export const TokenStatsListSchema = Type.Object({
  data: described(
    'The statistics in the order of the mints. A mint without a visible token is left out.',
    Type.Array(TokenStatsSchema, { maxItems: unpublishedLimits.statsTokens }),
  ),
});
export type TokenStatsList = Static<typeof TokenStatsListSchema>;

export const TokenStatsQuery = Type.Object({
  mints: Type.String({
    maxLength: MINTS_LENGTH_MAX,
    description: `Mint addresses, separated by commas: 1 to ${unpublishedLimits.statsTokens}, each once.`,
    examples: ['So11111111111111111111111111111111111111112'],
  }),
});
