import { SPL_TOKEN, TOKEN_2022 } from '../../src/chain/accounts/programs.ts';
import { LAMPORTS_PER_SOL } from './amounts.ts';

/** The configs of the market: every token is launched with one of them. */
export const curveKinds = ['steady', 'scheduled', 'quick'] as const;
export type CurveKind = (typeof curveKinds)[number];

/** The names under which the sandbox offers the configs for launches. */
export const launchConfigNames: Readonly<Record<CurveKind, string>> = {
  steady: 'standard',
  scheduled: 'falling-fee',
  quick: 'quick',
};

/** Base fee modes of the program. */
const feeModes = { linear: 0, exponential: 1 } as const;

/** Choices of the program for the AMM pool: a fixed fee of one percent, or the config's own terms. */
export const migrationFees = { onePercent: 2, customizable: 6 } as const;

export interface CurvePlan {
  readonly tokenProgram: typeof SPL_TOKEN | typeof TOKEN_2022;
  /** The curve is complete when its reserve holds this much. */
  readonly thresholdLamports: bigint;
  readonly baseFee: {
    /** The fee at the start, over 10^9. */
    readonly startNumerator: bigint;
    readonly mode: number;
    readonly periods: number;
    readonly periodSeconds: bigint;
    /** Basis points by which each period reduces the fee. */
    readonly reductionBps: bigint;
  };
  readonly hasDynamicFee: boolean;
  /** The creator's buy in the creating transaction pays the lowest fee of the schedule. */
  readonly favoursFirstSwap: boolean;
  readonly migrationFee: (typeof migrationFees)[keyof typeof migrationFees];
}

function constantFee(startNumerator: bigint): CurvePlan['baseFee'] {
  return { startNumerator, mode: feeModes.linear, periods: 0, periodSeconds: 0n, reductionBps: 0n };
}

export const curvePlans: Readonly<Record<CurveKind, CurvePlan>> = {
  /** Stays on its curve. */
  steady: {
    tokenProgram: SPL_TOKEN,
    thresholdLamports: 85n * LAMPORTS_PER_SOL,
    baseFee: constantFee(10_000_000n),
    hasDynamicFee: false,
    favoursFirstSwap: false,
    migrationFee: migrationFees.onePercent,
  },
  /** Stays on its curve. The fee starts at 5 percent and falls to one within ten minutes. */
  scheduled: {
    tokenProgram: TOKEN_2022,
    thresholdLamports: 60n * LAMPORTS_PER_SOL,
    baseFee: {
      startNumerator: 50_000_000n,
      mode: feeModes.exponential,
      periods: 10,
      periodSeconds: 60n,
      reductionBps: 1_487n,
    },
    hasDynamicFee: true,
    favoursFirstSwap: true,
    migrationFee: migrationFees.customizable,
  },
  /** Completes its curve within minutes. */
  quick: {
    tokenProgram: SPL_TOKEN,
    thresholdLamports: 12n * LAMPORTS_PER_SOL,
    baseFee: constantFee(20_000_000n),
    hasDynamicFee: false,
    favoursFirstSwap: false,
    migrationFee: migrationFees.onePercent,
  },
};
