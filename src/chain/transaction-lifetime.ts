import { encodeAddress } from '../shared/address.ts';
import { SYSTEM_PROGRAM } from './accounts/programs.ts';
import type { InstructionView, TransactionView } from './transaction-reader.ts';

/**
 * How long a transaction can land: as long as its blockhash is valid, or until the nonce changes that its
 * first instruction advances.
 */
export type TransactionLifetime =
  | { kind: 'blockhash'; blockhash: string }
  | { kind: 'nonce'; nonceAccount: string; nonce: string };

const KEY_BYTES = 32;
/** `AdvanceNonceAccount` of the system program, u32 little-endian. */
const ADVANCE_NONCE = [4, 0, 0, 0] as const;

/** @param bytes wire bytes of `view` */
export function lifetimeOf(bytes: Uint8Array, view: TransactionView): TransactionLifetime {
  const blockhash = keyAt(bytes, view.blockhashOffset);
  const nonceAccount = advancedNonce(bytes, view);
  return nonceAccount === null
    ? { kind: 'blockhash', blockhash }
    : { kind: 'nonce', nonceAccount, nonce: blockhash };
}

/** The nonce account as the runtime finds it: the first account of the first instruction, a static key. */
function advancedNonce(bytes: Uint8Array, view: TransactionView): string | null {
  const [first] = view.instructions;
  return first === undefined ? null : nonceAdvancedBy(bytes, view, first);
}

/** The nonce account that an instruction advances. Null when it advances none. */
export function nonceAdvancedBy(
  bytes: Uint8Array,
  { keysOffset, keyCount }: TransactionView,
  { programIndex, accountsOffset, accountCount, dataOffset, dataLength }: InstructionView,
): string | null {
  if (accountCount === 0) return null;
  if (keyAt(bytes, keysOffset + programIndex * KEY_BYTES) !== SYSTEM_PROGRAM) return null;
  if (!ADVANCE_NONCE.every((byte, at) => at < dataLength && bytes[dataOffset + at] === byte)) return null;
  const account = bytes[accountsOffset] ?? keyCount;
  return account < keyCount ? keyAt(bytes, keysOffset + account * KEY_BYTES) : null;
}

function keyAt(bytes: Uint8Array, offset: number): string {
  return encodeAddress(bytes.subarray(offset, offset + KEY_BYTES));
}
