import { type CurrentReadDependencies, firstCurrentResponse } from '../node-trust/first-current-response.ts';
import type { RpcFailure } from '../rpc/rpc-failure.ts';
import { simulateTransaction } from '../rpc/transaction-calls.ts';
import { compileTransaction, type TransactionPlan, withComputeUnitLimit } from './compile-transaction.ts';
import { computeUnitLimitFor } from './compute-budget.ts';

/**
 * - `fits`: it would succeed now; its limit is what it took, and a margin.
 * - `fails`: the chain's error as JSON.
 * - `unknown`: no node that is near the head could simulate it; for logs.
 */
export type FittedTransaction =
  | { outcome: 'fits'; transaction: Uint8Array; unitsConsumed: number }
  | { outcome: 'fails'; failure: string }
  | { outcome: 'unknown'; failure: RpcFailure };

const TIMEOUT_MS = 3_000;

/**
 * Compiles a plan and runs it as it would run now: one simulation both proves that it would succeed and measures it. The
 * limit of the plan is the one it is measured with. What is returned differs from what ran in that limit alone.
 *
 * @param slot a node that has not reached it does not know what the transaction was made from.
 */
export async function fitComputeUnits(
  plan: TransactionPlan,
  nodes: CurrentReadDependencies,
  slot = 0n,
): Promise<FittedTransaction> {
  const measured = compileTransaction(plan);
  const simulation = await firstCurrentResponse(
    nodes,
    (rpc, minContextSlot) => simulateTransaction(rpc, measured, TIMEOUT_MS, minContextSlot),
    slot,
  );
  if (!simulation.ok) return { outcome: 'unknown', failure: simulation.failure };
  const { failure, unitsConsumed } = simulation.value;
  if (failure !== null) return { outcome: 'fails', failure };
  // A node that does not report the units leaves the limit as it is.
  const computeUnitLimit =
    unitsConsumed > 0
      ? Math.min(computeUnitLimitFor(unitsConsumed), plan.computeUnitLimit)
      : plan.computeUnitLimit;
  const { computeUnitPrice } = plan;
  const transaction = withComputeUnitLimit(measured, { computeUnitLimit, computeUnitPrice });
  return { outcome: 'fits', transaction, unitsConsumed };
}
