import { LOOKUP_TABLE_PROGRAM } from './address-lookup.ts';
import type { BlockhashRing } from './blockhash-ring.ts';
import type { SkippedSlots } from './skipped-slots.ts';
import type { VirtualMachine } from './vm.ts';

const SLOT_HASHES = 'SysvarS1otHashes111111111111111111111111111';
// The program of lookup tables needs a recent slot hash; it is shown 64 of them instead of a cluster's 512.
const SLOT_HASHES_SHOWN = 64;

/** Updates the slot-hashes sysvar for transactions that can read it. It takes about a millisecond, too much for all. */
export function showSlotHashes(
  vm: VirtualMachine,
  ring: BlockhashRing,
  skipped: SkippedSlots,
  headSlot: bigint,
  keys: readonly string[],
): void {
  if (!keys.includes(LOOKUP_TABLE_PROGRAM) && !keys.includes(SLOT_HASHES)) return;
  const newestFirst: { slot: bigint; hash: string }[] = [];
  for (let slot = headSlot, shown = 0; shown < SLOT_HASHES_SHOWN; shown += 1) {
    slot = skipped.parentOf(slot);
    newestFirst.push({ slot, hash: ring.hashOf(slot) });
  }
  vm.setSlotHashes(newestFirst);
}
