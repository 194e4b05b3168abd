import type { Queryable } from '../../db/client.ts';
import { normaliseDecimal, normaliseSigned } from '../../shared/decimal.ts';
import { type TokenRow, tokenColumns, toToken } from './record.ts';
import type { ListedToken } from './schema.ts';
import type { RankedSort } from './token-filter.ts';

/** Columns of `token_rankings`; numerics as Postgres prints them, all null for a token that has no row yet. */
export interface RankingRow {
  rankedMarketCap: string | null;
  volumeInSol24h: string | null;
  tradeCount1h: number | null;
  priceChangePercent1h: string | null;
  graduationProgress: string | null;
  /** Null without a trade. */
  lastTradeAt: Date | null;
}

export type ListedTokenRow = TokenRow & RankingRow & { ordinal: bigint };

/** The value of a token that has none (src/db/schema/token-rankings.ts). */
const UNKNOWN = '-Infinity';

export function toListedToken(row: ListedTokenRow): ListedToken {
  const { volumeInSol24h, tradeCount1h } = row;
  const isRanked = volumeInSol24h !== null && tradeCount1h !== null;
  return {
    ...toToken(row),
    ranking: isRanked
      ? {
          marketCapInSol: known(row.rankedMarketCap, normaliseDecimal),
          volumeInSol24h: normaliseDecimal(volumeInSol24h),
          tradeCount1h,
          priceChangePercent1h: known(row.priceChangePercent1h, normaliseSigned),
          graduationProgress: known(row.graduationProgress, normaliseDecimal),
          lastTradeAt: row.lastTradeAt?.toISOString() ?? null,
        }
      : null,
  };
}

function known<Value>(text: string | null, normalise: (text: string) => Value): Value | null {
  return text === null || text === UNKNOWN ? null : normalise(text);
}

/** Columns of a ListedTokenRow, from `tokens t`, `token_markets m` and `token_rankings r`. */
export function listedColumns(db: Queryable) {
  return db`
    t.ordinal, ${tokenColumns(db)}, r.market_cap_in_sol as ranked_market_cap, r.volume_in_sol_24h, r.trade_count_1h,
    r.price_change_percent_1h, r.graduation_progress, case when isfinite(r.last_trade_at) then r.last_trade_at end as last_trade_at`;
}

/** The column of `token_rankings` that a list is sorted by, its type, and a value that no token exceeds. */
export const sortColumns = {
  marketCap: { column: 'market_cap_in_sol', type: 'numeric', above: 'Infinity' },
  volume24h: { column: 'volume_in_sol_24h', type: 'numeric', above: 'Infinity' },
  trades1h: { column: 'trade_count_1h', type: 'int4', above: '2147483647' },
  priceChange1h: { column: 'price_change_percent_1h', type: 'numeric', above: 'Infinity' },
  graduationProgress: { column: 'graduation_progress', type: 'numeric', above: 'Infinity' },
  lastTradeAt: { column: 'last_trade_at', type: 'timestamptz', above: 'infinity' },
} as const satisfies Record<RankedSort, { column: string; type: string; above: string }>;
