import { type DecimalString, decimalToRaw } from '../../shared/decimal.ts';

const SOL_DECIMALS = 9;

/** Throws RangeError for more digits than SOL has: no amount of the chain has. */
export function lamportsOf(sol: DecimalString): bigint {
  const raw = decimalToRaw(sol, SOL_DECIMALS);
  if (raw === null) throw new RangeError(`${sol} SOL is no whole number of lamports`);
  return raw;
}
