import type { ClientGate, Gate } from '../../shared/gate.ts';
import { readSimulationFailure, type SimulationFailure } from '../failures/simulation-failure.ts';
import { type CurrentReadDependencies, firstCurrentResponse } from '../node-trust/first-current-response.ts';
import type { RpcFailure } from '../rpc/rpc-failure.ts';
import { simulateTransaction } from '../rpc/transaction-calls.ts';
import {
  compileTransaction,
  type TransactionPlan,
  type WireVersion,
  withComputeUnitLimit,
} from './compile-transaction.ts';
import { computeUnitLimitFor } from './compute-budget.ts';
import type { BlockhashSource } from './latest-blockhash.ts';
import { boundedPrice, type PriceDependencies, type PricedUnits } from './priority.ts';

export interface BuildDependencies extends CurrentReadDependencies, PriceDependencies {
  blockhashes: BlockhashSource;
  /** Limits the simulations that run at once. */
  swapGate: Gate;
}

export interface BuildOptions {
  /** The gate that limits simulations of this client. */
  place: ClientGate;
  /** The transaction was made from accounts as of this slot. A node before the slot does not know them. */
  slot?: bigint;
  /** The limit of a transaction that needs no simulation with this blockhash. Null when it needs one. */
  knownLimit?: (blockhash: string) => number | null;
}

/** An unsigned transaction. */
export interface BuiltTransaction {
  transaction: Uint8Array;
  blockhash: string;
  lastValidBlockHeight: bigint;
  /** How long it may wait for its wallet's signature. */
  expiresInMs: number;
  version: WireVersion;
  /** Units that the simulation used. Null without a simulation. */
  unitsConsumed: number | null;
  /** The limit in the transaction. */
  computeUnitLimit: number;
  /** The price in the transaction, in micro-lamports per compute unit. */
  computeUnitPrice: bigint;
}

/**
 * - `built`: the transaction would succeed now.
 * - `refused`: the chain would refuse it.
 * - `unknown`: no node returned a usable blockhash, or none could simulate it.
 */
export type TransactionBuild =
  | ({ outcome: 'built' } & BuiltTransaction)
  | { outcome: 'refused'; failure: SimulationFailure }
  | { outcome: 'unknown'; failure: RpcFailure | null };

/** A node that does not know its own blockhash is asked last from then on, so another node is tried. */
const BLOCKHASHES_TRIED = 3;
/** A blockhash of a local chain may be valid for an hour. A price does not hold that long. */
const EXPIRES_MAX_MS = 120_000;
const SIMULATION_TIMEOUT_MS = 3_000;

/** Compiles a plan with a fresh blockhash, and simulates it with the plan's own unit limit. */
export async function buildTransaction(
  dependencies: BuildDependencies,
  order: Omit<TransactionPlan, 'blockhash'>,
  { place, slot = 0n, knownLimit }: BuildOptions,
): Promise<TransactionBuild> {
  const { blockhashes } = dependencies;
  for (let tried = 0; tried < BLOCKHASHES_TRIED; tried += 1) {
    const latest = await blockhashes.latest();
    if (latest === null) break;
    const { blockhash, lastValidBlockHeight, expiresAt } = latest;
    const livesMs = Math.max(0, expiresAt.getTime() - dependencies.clock.now().getTime());
    const expiresInMs = Math.min(livesMs, EXPIRES_MAX_MS);
    const { version } = order;
    const built = { outcome: 'built', version, blockhash, lastValidBlockHeight, expiresInMs } as const;
    const plan = { ...order, blockhash };
    const computeUnitLimit = knownLimit?.(blockhash) ?? null;
    if (computeUnitLimit !== null) {
      const transaction = compileTransaction({ ...plan, computeUnitLimit });
      const computeUnitPrice = boundedPrice({ ...plan, computeUnitLimit });
      return { ...built, transaction, unitsConsumed: null, computeUnitLimit, computeUnitPrice };
    }
    const fit = await place.run(() => fitComputeUnits(plan, dependencies, slot));
    if (fit.outcome === 'unknown') return fit;
    if (fit.outcome === 'fits') {
      const { transaction, unitsConsumed, computeUnitLimit: limit, computeUnitPrice } = fit;
      return { ...built, transaction, unitsConsumed, computeUnitLimit: limit, computeUnitPrice };
    }
    if (fit.failure !== '"BlockhashNotFound"') {
      const before = budgetInstructions(order);
      const measured = compileTransaction(plan);
      const failure = readSimulationFailure(fit.failure, order.instructions, before, measured);
      return { outcome: 'refused', failure };
    }
    blockhashes.refuse(blockhash);
  }
  return { outcome: 'unknown', failure: null };
}

/** In version 1 the header sets limit and price. In other versions instructions at the beginning set them. */
function budgetInstructions(plan: Omit<TransactionPlan, 'blockhash'>): number {
  if (plan.version === 'v1') return 0;
  return boundedPrice(plan) === 0n ? 1 : 2;
}

/**
 * - `fits`: the transaction would succeed now. Its limit is the simulated units and a margin.
 * - `fails`: the chain's error as JSON.
 * - `unknown`: no node near the head could simulate it. The reason is for logs.
 */
type FittedTransaction =
  | ({ outcome: 'fits'; transaction: Uint8Array; unitsConsumed: number } & PricedUnits)
  | { outcome: 'fails'; failure: string }
  | { outcome: 'unknown'; failure: RpcFailure };

/**
 * Compiles a plan and simulates it: one simulation both proves that it would succeed now and measures its units. It
 * runs with the plan's own limit. The returned transaction differs from it only in that limit and, where priority is
 * bounded in lamports, the price.
 *
 * @param slot the plan was made from accounts as of this slot. A node before it does not know them.
 */
async function fitComputeUnits(
  plan: TransactionPlan,
  nodes: CurrentReadDependencies,
  slot = 0n,
): Promise<FittedTransaction> {
  const measured = compileTransaction(plan);
  const simulation = await firstCurrentResponse(
    nodes,
    (rpc, minContextSlot) => simulateTransaction(rpc, measured, SIMULATION_TIMEOUT_MS, minContextSlot),
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
  // A transaction that was measured without a price has no room for one.
  const price = boundedPrice(plan) === 0n ? 0n : boundedPrice({ ...plan, computeUnitLimit });
  const limits = { computeUnitLimit, computeUnitPrice: price };
  return { outcome: 'fits', transaction: withComputeUnitLimit(measured, limits), unitsConsumed, ...limits };
}
