import { SYSTEM_PROGRAM } from '../chain/accounts/programs.ts';
import { type InstructionView, readTransaction, type TransactionView } from '../chain/transaction-reader.ts';
import { computeUnitPrice, programOf } from '../chain/transactions/budget-instructions.ts';
import type { IntentPolicy } from '../db/values/transaction-intents.ts';
import { encodeAddress } from '../shared/address.ts';

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
  return (
    programViolation(bytes, view, policy) ??
    priceViolation(bytes, view, policy) ??
    paymentViolation(bytes, view, policy)
  );
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

/** Tag as u32, then lamports as u64. */
const TRANSFER_BYTES = 12;
const TRANSFER = 2;

/** A top-level transfer of the fee payer must make the demanded payment. */
function paymentViolation(
  bytes: Uint8Array,
  view: TransactionView,
  { platformFee }: IntentPolicy,
): string | null {
  if (platformFee === undefined) return null;
  if (view.instructions.some((instruction) => pays(bytes, view, instruction, platformFee))) return null;
  return `the payment of ${platformFee.lamports} lamports to ${platformFee.account} is missing`;
}

function pays(
  bytes: Uint8Array,
  view: TransactionView,
  instruction: InstructionView,
  { account, lamports }: { account: string; lamports: string },
): boolean {
  const { dataOffset, dataLength, accountsOffset, accountCount } = instruction;
  if (dataLength !== TRANSFER_BYTES || programOf(bytes, view, instruction) !== SYSTEM_PROGRAM) return false;
  const data = Buffer.from(bytes.subarray(dataOffset, dataOffset + TRANSFER_BYTES));
  if (data.readUInt32LE(0) !== TRANSFER || data.readBigUInt64LE(4) !== BigInt(lamports)) return false;
  const [payer, payee] = [bytes[accountsOffset], bytes[accountsOffset + 1]];
  return accountCount >= 2 && payer === 0 && payee !== undefined && keyAt(bytes, view, payee) === account;
}

/** A key of the message itself; null for one that a lookup table adds. */
function keyAt(bytes: Uint8Array, { keysOffset, keyCount }: TransactionView, index: number): string | null {
  if (index >= keyCount) return null;
  const start = keysOffset + index * 32;
  return encodeAddress(bytes.subarray(start, start + 32));
}
