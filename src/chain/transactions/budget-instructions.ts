import { encodeAddress } from '../../shared/address.ts';
import { COMPUTE_BUDGET } from '../accounts/programs.ts';
import { type InstructionView, isGrantedHeap, type TransactionView } from '../transaction-reader.ts';

/** Tag, then bytes as u32. */
const REQUEST_HEAP_FRAME = 1;
/** Tag, then micro-lamports per unit as u64. */
const SET_COMPUTE_UNIT_PRICE = 3;

/** The price that a compute budget instruction sets, or null. */
export function computeUnitPrice(
  bytes: Uint8Array,
  view: TransactionView,
  instruction: InstructionView,
): bigint | null {
  const { dataOffset } = instruction;
  if (!isBudgetInstruction(bytes, view, instruction, SET_COMPUTE_UNIT_PRICE, 9)) return null;
  return asBuffer(bytes).readBigUInt64LE(dataOffset + 1);
}

/**
 * The requested heap size when the runtime refuses it, and with it the whole transaction; otherwise null. In
 * version 1 these instructions do nothing: the header requests the heap, and the reader checks it.
 */
export function refusedHeapFrame(bytes: Uint8Array, view: TransactionView): number | null {
  if (view.version === 1) return null;
  for (const instruction of view.instructions) {
    if (!isBudgetInstruction(bytes, view, instruction, REQUEST_HEAP_FRAME, 5)) continue;
    const heapBytes = asBuffer(bytes).readUInt32LE(instruction.dataOffset + 1);
    if (!isGrantedHeap(heapBytes)) return heapBytes;
  }
  return null;
}

/** The same bytes, not a copy. */
function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** The runtime ignores bytes after those that it needs. */
function isBudgetInstruction(
  bytes: Uint8Array,
  view: TransactionView,
  instruction: InstructionView,
  tag: number,
  lengthMin: number,
): boolean {
  const { dataOffset, dataLength } = instruction;
  if (dataLength < lengthMin || bytes[dataOffset] !== tag) return false;
  return programOf(bytes, view, instruction) === COMPUTE_BUDGET;
}

export function programOf(
  bytes: Uint8Array,
  { keysOffset }: TransactionView,
  { programIndex }: InstructionView,
): string {
  const start = keysOffset + programIndex * 32;
  return encodeAddress(bytes.subarray(start, start + 32));
}
