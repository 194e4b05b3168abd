import { type DecimalString, isDecimalString } from '../../../shared/decimal.ts';

const INTEGER_DIGITS_MAX = 12;
const FRACTION_DIGITS_MAX = 18;

/** A price that can be predicted: positive, at most 12 integer and 18 fractional digits (contract/predictions#price-range). */
export function isPredictablePrice(price: string): price is DecimalString {
  if (!isDecimalString(price) || price === '0') return false;
  const [whole = '', fraction = ''] = price.split('.');
  return whole.length <= INTEGER_DIGITS_MAX && fraction.length <= FRACTION_DIGITS_MAX;
}
