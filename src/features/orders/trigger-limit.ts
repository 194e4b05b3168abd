import { BASIS_POINTS } from '../../chain/pools/fixed-point.ts';
import type { DecimalString } from '../../shared/decimal.ts';

const SOL_DECIMALS = 9;

/** An order to swap exactly an amount at a price. */
export interface PricedOrder {
  side: 'buy' | 'sell';
  /** Lamports of a buy, raw units of the token of a sell. */
  amountRaw: bigint;
  /** SOL for a whole token; not 0. */
  price: DecimalString;
  decimals: number;
}

/** What the amount is worth at the price, in raw units, rounded down. */
export function worthAt({ side, amountRaw, price, decimals }: PricedOrder): bigint {
  const [whole = '', fraction = ''] = price.split('.');
  const digits = BigInt(whole + fraction);
  const lamports = digits * 10n ** BigInt(SOL_DECIMALS);
  const units = 10n ** BigInt(fraction.length + decimals);
  return side === 'buy' ? (amountRaw * units) / lamports : (amountRaw * lamports) / units;
}

/** The least output of an order that accepts so much less than it is worth at the price. */
export function lessSlippage(worthRaw: bigint, slippageBps: number): bigint {
  return (worthRaw * (BASIS_POINTS - BigInt(slippageBps))) / BASIS_POINTS;
}
