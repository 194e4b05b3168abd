import { COMPUTE_BUDGET } from '../accounts/programs.ts';
import type { Instruction } from './instruction.ts';

const SET_COMPUTE_UNIT_LIMIT = 2;
const SET_COMPUTE_UNIT_PRICE = 3;

/** The most compute units that a transaction can request. */
export const COMPUTE_UNITS_MAX = 1_400_000;
/**
 * Added to the simulated units: pools that change in the meantime take another path through the same code.
 */
const MARGIN_PERCENT = 15;
/**
 * A fixed addition for work that does not grow with the units, for example an account that another
 * transaction has opened.
 */
const MARGIN_UNITS = 10_000;

/** The limit for a transaction whose simulation used these units. */
export function computeUnitLimitFor(unitsConsumed: number): number {
  const withMargin = Math.ceil((unitsConsumed * (100 + MARGIN_PERCENT)) / 100) + MARGIN_UNITS;
  return Math.min(withMargin, COMPUTE_UNITS_MAX);
}

const LAMPORTS_PER_SIGNATURE = 5_000n;
const MICRO = 1_000_000n;

/** The network's fee for a transaction: for each signature, and for its priority, rounded up. */
export function networkFee(computeUnits: number, microLamportsPerUnit: bigint, signatures = 1n): bigint {
  return (
    signatures * LAMPORTS_PER_SIGNATURE + (BigInt(computeUnits) * microLamportsPerUnit + MICRO - 1n) / MICRO
  );
}

export function computeUnitLimit(units: number): Instruction {
  const data = Buffer.alloc(5);
  data.writeUInt8(SET_COMPUTE_UNIT_LIMIT, 0);
  data.writeUInt32LE(units, 1);
  return { program: COMPUTE_BUDGET, accounts: [], data };
}

/** @param microLamports price of each unit of the limit */
export function computeUnitPrice(microLamports: bigint): Instruction {
  const data = Buffer.alloc(9);
  data.writeUInt8(SET_COMPUTE_UNIT_PRICE, 0);
  data.writeBigUInt64LE(microLamports, 1);
  return { program: COMPUTE_BUDGET, accounts: [], data };
}
