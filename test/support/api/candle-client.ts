import type { Trade } from '../../../src/features/market/schema.ts';

/** Fields that hold a DecimalString, wherever they are in a body. */
const DECIMAL_FIELD = /(InSol|InToken|Amount|^open|^high|^low|^close|^totalSupply)$/;

/** Every decimal that a body prints. */
export function decimalsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, field]) =>
    typeof field === 'string' && DECIMAL_FIELD.test(key) ? [field] : decimalsIn(field),
  );
}

/** Whether a text is a DecimalString (contract/requests#decimal-string): no sign, no exponent, no superfluous
 * zero. */
export function isCanonicalDecimal(text: string): boolean {
  const [whole = '', fraction, ...rest] = text.split('.');
  const areDigits = (part: string) => part !== '' && [...part].every((one) => one >= '0' && one <= '9');
  if (rest.length > 0 || !areDigits(whole) || (whole.startsWith('0') && whole !== '0')) return false;
  return fraction === undefined || (areDigits(fraction) && !fraction.endsWith('0'));
}

// Enough digits for any sum here. This arithmetic is independent of the product's.
const SCALE = 40;
const toInteger = (text: string) => {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(SCALE, '0'));
};
const toText = (value: bigint) => {
  const digits = value.toString().padStart(SCALE + 1, '0');
  return `${digits.slice(0, -SCALE)}.${digits.slice(-SCALE)}`.replace(/\.?0+$/, '');
};
const sum = (texts: readonly string[]) => toText(texts.reduce((total, text) => total + toInteger(text), 0n));

/**
 * What a trade of a token with six decimals paid, as far as that counts: at least 100,000 lamports, and 10,000 raw units
 * (contract/market-data#paid-prices).
 */
export function paidPriceOf({ solAmount, tokenAmount, pricePerTokenInSol }: Trade): string | null {
  const isDust = toInteger(solAmount) < toInteger('0.0001') || toInteger(tokenAmount) < toInteger('0.01');
  return isDust || pricePerTokenInSol === '0' ? null : pricePerTokenInSol;
}

export interface CandleRules {
  /** Null when nothing is proven for the token. */
  provenThrough?: string | null;
  /** Returns null when a trade has no price of the requested kind. */
  priceOf?: (trade: Trade) => string | null;
}

/**
 * Builds candles like a client, only from `listTokenTrades` (newest first) and contract/market-data#candles.
 * Tests compare the service's candles with this independent implementation.
 */
export function candlesOf(
  newestFirst: readonly Trade[],
  lengthMs: number,
  from: string,
  to: string,
  asOf: string,
  { provenThrough = null, priceOf = paidPriceOf }: CandleRules = {},
) {
  const trades = newestFirst.toReversed();
  const candles = [];
  const firstTradeMs = Math.min(...trades.map(({ blockTime }) => Date.parse(blockTime)));
  const firstOpenMs = firstTradeMs - (firstTradeMs % lengthMs);
  for (let openMs = firstOpenMs; openMs < Date.parse(to) && openMs <= Date.parse(asOf); openMs += lengthMs) {
    const inside = trades.filter(({ blockTime }) => {
      const time = Date.parse(blockTime);
      return time >= openMs && time < openMs + lengthMs;
    });
    const prices = inside.map(priceOf).filter((price) => price !== null);
    const ascending = prices.toSorted((a, b) => (toInteger(a) < toInteger(b) ? -1 : 1));
    const previous: string = candles.at(-1)?.close ?? '';
    if (previous === '' && prices.length === 0) continue;
    candles.push({
      openTime: new Date(openMs).toISOString(),
      open: prices[0] ?? previous,
      high: ascending.at(-1) ?? previous,
      low: ascending[0] ?? previous,
      close: prices.at(-1) ?? previous,
      volumeInSol: sum(inside.map(({ solAmount }) => solAmount)),
      volumeInToken: sum(inside.map(({ tokenAmount }) => tokenAmount)),
      tradeCount: inside.length,
      closed: provenThrough !== null && openMs + lengthMs <= Date.parse(provenThrough),
    });
  }
  return candles.filter(({ openTime }) => Date.parse(openTime) >= Date.parse(from));
}
