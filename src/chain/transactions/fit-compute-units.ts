import { type CurrentReadDependencies, firstCurrentResponse } from '../node-trust/first-current-response.ts';
import type { RpcFailure } from '../rpc/rpc-failure.ts';
import { simulateTransaction } from '../rpc/transaction-calls.ts';
import { compileTransaction, type TransactionPlan, withComputeUnitLimit } from './compile-transaction.ts';
import { computeUnitLimitFor } from './compute-budget.ts';
import { boundedPrice, type PricedUnits } from './priority.ts';

/**
 * - `fits`: the transaction would succeed now. Its limit is the simulated units and a margin.
 * - `fails`: the chain's error as JSON.
 * - `unknown`: no node near the head could simulate it. The reason is for logs.
 */
export type FittedTransaction =
  | ({ outcome: 'fits'; transaction: Uint8Array; unitsConsumed: number } & PricedUnits)
  | { outcome: 'fails'; failure: string }
  | { outcome: 'unknown'; failure: RpcFailure };

const TIMEOUT_MS = 3_000;

/**
 * Compiles a plan and simulates it: one simulation both proves that it would succeed now and measures its units. It
 * runs with the plan's own limit. The returned transaction differs from it only in that limit and, where priority is
 * bounded in lamports, the price.
 *
 * @param slot the plan was made from accounts as of this slot. A node before it does not know them.
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
  // If the node does not report the units, the limit stays.
  const computeUnitLimit =
    unitsConsumed > 0
      ? Math.min(computeUnitLimitFor(unitsConsumed), plan.computeUnitLimit)
      : plan.computeUnitLimit;
  // What was measured without a price has no room for one.
  const price = boundedPrice(plan) === 0n ? 0n : boundedPrice({ ...plan, computeUnitLimit });
  const limits = { computeUnitLimit, computeUnitPrice: price };
  return { outcome: 'fits', transaction: withComputeUnitLimit(measured, limits), unitsConsumed, ...limits };
}
