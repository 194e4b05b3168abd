import type { Queryable } from '../../db/client.ts';
import { compareDecimals, type DecimalString, normaliseDecimal, rawToDecimal } from '../../shared/decimal.ts';
import type { IndexedTrade } from './indexed-trade.ts';

/**
 * The least amount on both sides of a trade, in raw units, for its own price to count. Rounding then moves
 * the price by at most 5 per mille, while the fee is at most 90 % (contract/market-data#paid-prices).
 */
export const PAID_PRICE_MIN = { lamports: 100_000n, tokenRaw: 10_000n } as const;

/** The decimals of known tokens, by mint. */
export type TokenDecimals = ReadonlyMap<string, { decimals: number }>;

const SOL_DECIMALS = 9;
const ZERO = normaliseDecimal('0');
/** The smallest amount that counts, by decimals of the mint (the check `tokens_decimals`). */
const MINIMA = Array.from({ length: 19 }, (_, decimals) => rawToDecimal(PAID_PRICE_MIN.tokenRaw, decimals));
const MIN_SOL = rawToDecimal(PAID_PRICE_MIN.lamports, SOL_DECIMALS);

/**
 * The price that a trade paid for a whole token. Null for an unknown token, and where rounding may have moved
 * the price by more than a few per mille: such a trade says nothing about it
 * (contract/market-data#paid-prices).
 */
export function paidPriceOf(
  trade: Pick<IndexedTrade, 'mintAddress' | 'solAmount' | 'tokenAmount' | 'pricePerTokenInSol'>,
  tokens: TokenDecimals,
): DecimalString | null {
  const { mintAddress, solAmount, tokenAmount, pricePerTokenInSol } = trade;
  const decimals = tokens.get(mintAddress)?.decimals;
  const minimum = decimals === undefined ? undefined : MINIMA[decimals];
  if (minimum === undefined || pricePerTokenInSol === ZERO) return null;
  if (compareDecimals(solAmount, MIN_SOL) < 0 || compareDecimals(tokenAmount, minimum) < 0) return null;
  return pricePerTokenInSol;
}

/**
 * The price of the market after a trade: the pool's own where the source reports it, else the paid price. Null for a
 * trade that says nothing about it (contract/market-data#prices).
 */
export function marketPriceOf(
  trade: Parameters<typeof paidPriceOf>[0] & Pick<IndexedTrade, 'spotPriceInSol'>,
  tokens: TokenDecimals,
): DecimalString | null {
  return spotPriceOf(trade) ?? paidPriceOf(trade, tokens);
}

/** A spot price of zero is smaller than the last digit: it is not known. */
export function spotPriceOf({ spotPriceInSol }: Pick<IndexedTrade, 'spotPriceInSol'>): DecimalString | null {
  return spotPriceInSol === ZERO ? null : spotPriceInSol;
}

/** SQL: `marketPriceOf` for a trade of this mint in `trades`. Null or zero for a trade that says nothing. */
export function marketPrice(db: Queryable, mintAddress: string) {
  return db`coalesce(nullif(spot_price_in_sol, 0), case when sol_amount >= ${MIN_SOL}::numeric
    and token_amount * 10::numeric ^ (select decimals from tokens where mint_address = ${mintAddress})
      >= ${String(PAID_PRICE_MIN.tokenRaw)}::numeric then price_per_token_in_sol end)`;
}
