import bs58 from 'bs58';
import type { BlockhashRing } from './blockhash-ring.ts';
import { FIRST_SLOT } from './commitment.ts';
import { LAMPORTS_PER_SIGNATURE } from './fees.ts';
import type { SkippedSlots } from './skipped-slots.ts';
import type { StoredAccount } from './vm.ts';

export const RECENT_BLOCKHASHES_SYSVAR = 'SysvarRecentB1ockHashes11111111111111111111';
const SYSVAR_OWNER = 'Sysvar1111111111111111111111111111111111111';
const MOST_ENTRIES = 150;
const COUNT_BYTES = 8;
const HASH_BYTES = 32;
const ENTRY_BYTES = HASH_BYTES + 8;
const ACCOUNT_BYTES = COUNT_BYTES + MOST_ENTRIES * ENTRY_BYTES;

/** The account of recent blockhashes at a slot: the newest first, each with its fee for a signature. */
export function recentBlockhashesAt(
  ring: BlockhashRing,
  skipped: SkippedSlots,
  slot: bigint,
  rentExemptLamports: (bytes: number) => bigint,
): StoredAccount {
  const data = Buffer.alloc(ACCOUNT_BYTES);
  let count = 0;
  for (let next = slot; count < MOST_ENTRIES && next >= FIRST_SLOT; next = skipped.parentOf(next)) {
    const offset = COUNT_BYTES + count * ENTRY_BYTES;
    data.set(bs58.decode(ring.hashOf(next)), offset);
    data.writeBigUInt64LE(LAMPORTS_PER_SIGNATURE, offset + HASH_BYTES);
    count += 1;
  }
  data.writeBigUInt64LE(BigInt(count));
  return {
    lamports: rentExemptLamports(ACCOUNT_BYTES),
    owner: SYSVAR_OWNER,
    data,
    executable: false,
    rentEpoch: 2n ** 64n - 1n,
  };
}
