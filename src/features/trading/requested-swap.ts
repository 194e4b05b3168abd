import { U64_MAX } from '../../chain/pools/fixed-point.ts';
import { outOfRange } from './refusals.ts';

/** Spellings of the modes in requests (contract/endpoints#additions-amounts). */
export const requestModes = ['exact-in', 'exact-out'] as const;

/** Default slippage of a request: half a percent. */
export const DEFAULT_SLIPPAGE_BPS = 50;

/** An IntString as an amount that fits an instruction. */
export function instructionAmount(text: string): bigint {
  const amount = BigInt(text);
  if (amount > U64_MAX) throw outOfRange('above_u64');
  return amount;
}
