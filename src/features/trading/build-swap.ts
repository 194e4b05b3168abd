import type { CurrentReadDependencies } from '../../chain/node-trust/first-current-response.ts';
import {
  compileTransaction,
  type TransactionPlan,
  type WireVersion,
} from '../../chain/transactions/compile-transaction.ts';
import { type FittedTransaction, fitComputeUnits } from '../../chain/transactions/fit-compute-units.ts';
import type { Instruction } from '../../chain/transactions/instruction.ts';
import type { BlockhashSource, UsableBlockhash } from '../../chain/transactions/latest-blockhash.ts';
import { Problem } from '../../shared/problem.ts';
import { isUnknownBlockhash, readRefusal, type SwapRefusal } from './refusals.ts';
import type { SwapShape, WarmSwaps } from './warm-swaps.ts';

/** What a swap is simulated with: some three times what one has taken. */
export const MEASURED_WITH_UNITS = 400_000;
/** A node that does not know its own blockhash is asked last; then another one gets its chance. */
const BLOCKHASHES_TRIED = 3;

/** An unsigned swap. */
export interface BuiltSwap extends UsableBlockhash {
  transaction: Uint8Array;
  /** Otherwise one of its shape was, a moment ago. */
  isSimulated: boolean;
}

/**
 * - `built`: ready to be stored.
 * - `refused`: the chain would refuse it.
 * - `behind`: no node has come as far as the pool it was made from.
 */
export type SwapBuild =
  | { outcome: 'built'; swap: BuiltSwap }
  | { outcome: 'refused'; refusal: SwapRefusal }
  | { outcome: 'behind' };

/**
 * Builds, and simulates unless a swap of this shape was simulated a moment ago and the wallet can pay for it; `simulate`
 * always does. Throws `chain_unavailable`, or `validation_failed` for a version nobody takes.
 *
 * @param slot of the pool that the instructions were made from
 * @param isFunded as far as is known, the wallet can pay for the swap with a limit of so many compute units
 */
export async function buildSwap(
  dependencies: CurrentReadDependencies & { blockhashes: BlockhashSource; warmSwaps: WarmSwaps },
  shape: SwapShape,
  instructions: readonly Instruction[],
  {
    version,
    computeUnitPrice,
    simulate,
    slot,
    isFunded,
  }: {
    version: WireVersion;
    computeUnitPrice: bigint;
    simulate: boolean;
    slot: bigint;
    isFunded: (computeUnits: number) => boolean;
  },
): Promise<SwapBuild> {
  const { blockhashes, warmSwaps } = dependencies;
  for (let tried = 0; tried < BLOCKHASHES_TRIED; tried += 1) {
    const latest = await blockhashes.latest();
    if (latest === null) throw new Problem('chain_unavailable');
    const plan: TransactionPlan = {
      version,
      feePayer: shape.wallet,
      instructions,
      blockhash: latest.blockhash,
      computeUnitLimit: MEASURED_WITH_UNITS,
      computeUnitPrice,
    };
    const computeUnitLimit = simulate ? null : warmSwaps.limitFor(shape, latest.blockhash);
    if (computeUnitLimit !== null && isFunded(computeUnitLimit)) {
      const transaction = compileTransaction({ ...plan, computeUnitLimit });
      return { outcome: 'built', swap: { ...latest, transaction, isSimulated: false } };
    }
    const fitted = await fitComputeUnits(plan, dependencies, slot);
    if (fitted.outcome === 'fits') {
      const { transaction, unitsConsumed } = fitted;
      warmSwaps.note(shape, latest.blockhash, unitsConsumed);
      return { outcome: 'built', swap: { ...latest, transaction, isSimulated: true } };
    }
    if (fitted.outcome === 'unknown') {
      if (fitted.failure.isBehind === true) return { outcome: 'behind' };
      throw notSimulated(version, fitted);
    }
    if (!isUnknownBlockhash(fitted.failure)) {
      // In version 1 the limit and price stand in the header, not before the instructions.
      const budget = version === 'v1' ? 0 : computeUnitPrice === 0n ? 1 : 2;
      return { outcome: 'refused', refusal: readRefusal(fitted.failure, instructions, budget) };
    }
    blockhashes.refuse(latest.blockhash);
  }
  throw new Problem('chain_unavailable');
}

function notSimulated(
  version: WireVersion,
  { failure }: FittedTransaction & { outcome: 'unknown' },
): Problem {
  if (failure.kind !== 'refused' || version !== 'v1')
    return new Problem('chain_unavailable', { cause: failure });
  return new Problem('validation_failed', {
    errors: [
      {
        path: '/body/transactionVersion',
        code: 'invalid_value',
        message: 'this cluster does not take version 1 transactions yet',
      },
    ],
    cause: failure,
  });
}
