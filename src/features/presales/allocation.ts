import { BASIS_POINTS } from '../../chain/pools/fixed-point.ts';
import { normaliseDecimal } from '../../shared/decimal.ts';

/**
 * Base units of a token that a presale sells: its part of the total supply, cut to whole units.
 *
 * @param totalSupply a non-negative decimal, as stored
 */
export function saleSupplyRaw(totalSupply: string, decimals: number, saleBps: number): bigint {
  const [whole = '0', fraction = ''] = normaliseDecimal(totalSupply).split('.');
  const raw = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  return (raw * BigInt(saleBps)) / BASIS_POINTS;
}

/**
 * A wallet's part of the sale, in proportion to its deposit, cut to whole base units: all allocations
 * together never exceed the sale. `settleParticipations` computes the same in the database.
 */
export function allocationRaw(depositedLamports: bigint, totalLamports: bigint, saleRaw: bigint): bigint {
  return (depositedLamports * saleRaw) / totalLamports;
}
