import { computeUnitLimitFor } from '../../../chain/transactions/compute-budget.ts';
import type { Instruction } from '../../../chain/transactions/instruction.ts';
import { planSwap, requireFeeAccount, type WalletOrder } from '../plan-swap.ts';
import { type BuildSwapDependencies, buildOnNewestPool, MEASURED_WITH_UNITS } from '../prepare-swap.ts';
import type { WalletSwap } from '../wallet-swap.ts';

/** The instructions of a swap for a transaction of the caller. */
export interface ComposedInstructions {
  swap: WalletSwap;
  limitRaw: bigint;
  feeAccount: string | null;
  instructions: readonly Instruction[];
  /** Null without a simulation. */
  unitsConsumed: number | null;
  computeUnitLimit: number;
  /** Micro-lamports. */
  computeUnitPrice: bigint;
}

/**
 * Computes the instructions of a swap and simulates them alone, unless the order leaves that out. Throws the
 * problem that prevents the swap. Nothing is stored.
 */
export async function composeInstructions(
  dependencies: BuildSwapDependencies,
  order: WalletOrder,
): Promise<ComposedInstructions> {
  const feeAccount = await requireFeeAccount(dependencies, order);
  const extras = { reference: null, tip: null, feeAccount };
  if (!order.simulate) {
    const planned = await planSwap(dependencies, order, extras);
    return { ...planned, feeAccount, unitsConsumed: null, computeUnitLimit: MEASURED_WITH_UNITS };
  }
  const { built, ...attempt } = await buildOnNewestPool(dependencies, order, extras);
  // A node may report no units; the simulation ran with the largest limit.
  const consumed = built.unitsConsumed ?? 0;
  const computeUnitLimit = consumed === 0 ? MEASURED_WITH_UNITS : computeUnitLimitFor(consumed);
  return { ...attempt, feeAccount, unitsConsumed: consumed === 0 ? null : consumed, computeUnitLimit };
}
