import { rawToDecimal } from '../../shared/decimal.ts';
import { WRAPPED_SOL_MINT } from '../accounts/programs.ts';

const SOL_DECIMALS = 9;

/** A balance that is too low. The mint of wrapped SOL stands for SOL. */
export interface Shortfall {
  mintAddress: string;
  decimals: number;
  haveRaw: bigint;
  needRaw: bigint;
}

/** The lamports that a wallet lacks. Null if it has enough. */
export function solShortfall(haveRaw: bigint, needRaw: bigint): Shortfall | null {
  return haveRaw < needRaw
    ? { mintAddress: WRAPPED_SOL_MINT, decimals: SOL_DECIMALS, haveRaw, needRaw }
    : null;
}

/** The shortfall for a problem: both amounts as decimals for its text, and the facts for its `context`. */
export function shownShortfall({ mintAddress, decimals, haveRaw, needRaw }: Shortfall) {
  return {
    have: rawToDecimal(haveRaw, decimals),
    need: rawToDecimal(needRaw, decimals),
    facts: { mintAddress, haveRaw: String(haveRaw), needRaw: String(needRaw) },
  };
}
