import { publishedLimits } from '../../../shared/contract-limits.ts';
import { type DecimalString, isDecimalString } from '../../../shared/decimal.ts';

/**
 * True for a price that can be predicted: positive, at most 12 integer and 18 fractional digits
 * (contract/predictions#price-range).
 */
export function isPredictablePrice(price: string): price is DecimalString {
  if (!isDecimalString(price) || price === '0') return false;
  const [whole = '', fraction = ''] = price.split('.');
  return (
    whole.length <= publishedLimits.predictionPriceIntegerDigits &&
    fraction.length <= publishedLimits.predictionPriceFractionDigits
  );
}
