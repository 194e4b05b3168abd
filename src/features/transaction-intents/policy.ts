import type { InstructionView, TransactionView } from '../../chain/transaction-reader.ts';
import { readTransaction } from '../../chain/transaction-reader.ts';
import type { IntentPolicy } from '../../db/schema/transaction-intents.ts';
import { encodeAddress } from '../../shared/address.ts';

const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111';
/** ComputeBudget instruction `SetComputeUnitPrice`: tag 3, then micro-lamports per unit as u64. */
const SET_COMPUTE_UNIT_PRICE = 3;

/**
 * What of a transaction the policy forbids, as one sentence, or null when it allows all (D11). Checked when an
 * intent is prepared and again before its broadcast. An empty `allowedPrograms` allows every program.
 */
export function policyViolation(bytes: Uint8Array, policy: IntentPolicy): string | null {
  const view = readTransaction(bytes);
  if (view === null) return 'the transaction is malformed';
  for (const instruction of view.instructions) {
    const program = programOf(bytes, view, instruction);
    if (policy.allowedPrograms.length > 0 && !policy.allowedPrograms.includes(program)) {
      return `program ${program} is not allowed`;
    }
    const unitPrice = program === COMPUTE_BUDGET_PROGRAM ? computeUnitPrice(bytes, instruction) : null;
    if (
      unitPrice !== null &&
      policy.maxComputeUnitPrice !== null &&
      unitPrice > BigInt(policy.maxComputeUnitPrice)
    ) {
      return `compute unit price ${unitPrice} is above ${policy.maxComputeUnitPrice}`;
    }
  }
  return null;
}

function programOf(
  bytes: Uint8Array,
  { keysOffset }: TransactionView,
  { programIndex }: InstructionView,
): string {
  const start = keysOffset + programIndex * 32;
  return encodeAddress(bytes.subarray(start, start + 32));
}

function computeUnitPrice(bytes: Uint8Array, { dataOffset, dataLength }: InstructionView): bigint | null {
  if (dataLength !== 9 || bytes[dataOffset] !== SET_COMPUTE_UNIT_PRICE) return null;
  return Buffer.from(bytes).readBigUInt64LE(dataOffset + 1);
}
