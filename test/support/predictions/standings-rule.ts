import type { DecimalString } from '../../../src/shared/decimal.ts';

/** The inputs of the standings rule. */
export interface RankedPrediction {
  id: string;
  predictedPriceInSol: DecimalString;
  submittedAt: Date;
}

/** |predicted − settlement| × 1,000,000 / settlement, rounded half up (contract/predictions#distance). Tests
 * compare the SQL with this. */
export function distancePpm(predicted: DecimalString, settlement: DecimalString): bigint {
  const scale = Math.max(fractionDigits(predicted), fractionDigits(settlement));
  const [a, b] = [scaled(predicted, scale), scaled(settlement, scale)];
  const parts = (a > b ? a - b : b - a) * 1_000_000n;
  const [whole, rest] = [parts / b, parts % b];
  return rest * 2n >= b ? whole + 1n : whole;
}

/** Best first: by distance, then the earlier submission, then the id. */
export function rank(
  predictions: readonly RankedPrediction[],
  settlement: DecimalString,
): { id: string; distance: bigint }[] {
  const order = (one: bigint | string | number, other: bigint | string | number) =>
    one < other ? -1 : Number(one > other);
  return predictions
    .map((one) => ({ ...one, distance: distancePpm(one.predictedPriceInSol, settlement) }))
    .sort(
      (one, other) =>
        order(one.distance, other.distance) ||
        order(one.submittedAt.getTime(), other.submittedAt.getTime()) ||
        order(one.id, other.id),
    )
    .map(({ id, distance }) => ({ id, distance }));
}

function fractionDigits(text: string): number {
  return text.split('.')[1]?.length ?? 0;
}

function scaled(text: string, scale: number): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0'));
}
