import { readTransaction, type TransactionView } from '../../chain/transaction-reader.ts';
import type { IntentPolicy } from '../../db/schema/transaction-intents.ts';
import { computeUnitPrice, programOf } from './budget-instructions.ts';

const MICRO_LAMPORTS = 1_000_000n;

/**
 * One sentence about the part of a transaction that the policy forbids; null when it allows the transaction
 * (contract/intents#policy). Checked when an intent is prepared and again before its broadcast. An empty
 * `allowedPrograms` allows every program. The price is that of SetComputeUnitPrice or, in version 1, the
 * priority fee divided by the compute unit limit.
 * @param view of the bytes, when they have been read already
 */
export function policyViolation(
  bytes: Uint8Array,
  policy: IntentPolicy,
  view = readTransaction(bytes),
): string | null {
  if (view === null) return 'the transaction is malformed';
  return programViolation(bytes, view, policy) ?? priceViolation(bytes, view, policy);
}

function programViolation(
  bytes: Uint8Array,
  view: TransactionView,
  { allowedPrograms }: IntentPolicy,
): string | null {
  if (allowedPrograms.length === 0) return null;
  for (const instruction of view.instructions) {
    const program = programOf(bytes, view, instruction);
    if (!allowedPrograms.includes(program)) return `program ${program} is not allowed`;
  }
  return null;
}

function priceViolation(
  bytes: Uint8Array,
  view: TransactionView,
  { maxComputeUnitPrice }: IntentPolicy,
): string | null {
  if (maxComputeUnitPrice === null) return null;
  const limit = BigInt(maxComputeUnitPrice);
  if (view.price !== null) {
    // A fee without a unit limit has no price per unit to compare with a bound.
    const { priorityFeeLamports, computeUnitLimit } = view.price;
    const isAbove = priorityFeeLamports * MICRO_LAMPORTS > limit * BigInt(computeUnitLimit);
    return isAbove
      ? `priority fee ${priorityFeeLamports} for ${computeUnitLimit} compute units is above ${limit} per unit`
      : null;
  }
  for (const instruction of view.instructions) {
    const unitPrice = computeUnitPrice(bytes, view, instruction);
    if (unitPrice !== null && unitPrice > limit) return `compute unit price ${unitPrice} is above ${limit}`;
  }
  return null;
}
