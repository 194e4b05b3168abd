import { LAMPORTS_PER_SOL } from '../market/amounts.ts';

/** A presale that the demo repeats. */
export interface Campaign {
  readonly name: string;
  /** Index among the upcoming tokens of the market. */
  readonly upcoming: number;
  readonly minCapLamports: bigint;
  readonly maxCapLamports: bigint;
  /** Lamports of the deposits in order. The total shows how many were made, also after a restart. */
  readonly deposits: readonly bigint[];
  readonly depositEveryMs: number;
  readonly durationMs: number;
  /** Pause after the end of one before the next begins. */
  readonly restMs: number;
}

const centiSol = (count: number) => (BigInt(count) * LAMPORTS_PER_SOL) / 100n;

/** Fills up in about four minutes and is settled. */
export const fullyFunded: Campaign = {
  name: 'fully funded presale',
  upcoming: 0,
  minCapLamports: centiSol(500),
  maxCapLamports: centiSol(2_000),
  deposits: [120, 50, 210, 80, 160, 95, 240, 135, 70, 180, 105, 155, 60, 200, 140].map(centiSol),
  depositEveryMs: 15_000,
  durationMs: 30 * 60_000,
  restMs: 20_000,
};

/** Gets three deposits, misses its minimum and refunds them; the next one begins 25 minutes later. */
export const underfunded: Campaign = {
  name: 'underfunded presale',
  upcoming: 1,
  minCapLamports: centiSol(3_000),
  maxCapLamports: centiSol(6_000),
  deposits: [75, 25, 150].map(centiSol),
  depositEveryMs: 30_000,
  durationMs: 300_000,
  restMs: 25 * 60_000,
};

/** The number of deposits, in order, that make up a total. */
export function depositsMade({ deposits }: Campaign, totalLamports: bigint): number {
  let sum = 0n;
  const made = deposits.findIndex((lamports) => {
    sum += lamports;
    return sum > totalLamports;
  });
  return made === -1 ? deposits.length : made;
}
