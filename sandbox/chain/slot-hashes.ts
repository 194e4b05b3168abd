import { ADDRESS_LOOKUP_TABLE } from '../../src/chain/accounts/programs.ts';
import { isDeactivatedTable } from './address-lookup.ts';
import type { BlockhashRing } from './blockhash-ring.ts';
import type { SkippedSlots } from './skipped-slots.ts';
import type { VirtualMachine } from './vm.ts';
import type { WireMessage } from './wire-message.ts';

const SLOT_HASHES = 'SysvarS1otHashes111111111111111111111111111';
/**
 * The number that a cluster has. A deactivated lookup table stays usable while the slot of its deactivation is one of
 * them.
 */
const SLOT_HASHES_SHOWN = 512;

interface HashedChain {
  readonly vm: VirtualMachine;
  readonly ring: BlockhashRing;
  readonly skipped: SkippedSlots;
  readonly slot: bigint;
}

/** The sysvar of slot hashes. Setting it takes some milliseconds, so only what can read it has it set. */
export class SlotHashes {
  #shownAt: bigint | null = null;

  showForMessage(chain: HashedChain, { lookups }: WireMessage, keys: readonly string[]): void {
    const readsByTable = lookups.some(({ accountKey }) =>
      isDeactivatedTable(chain.vm.getAccount(accountKey)),
    );
    if (readsByTable) this.#show(chain);
    else this.showFor(chain, keys);
  }

  showFor(chain: HashedChain, keys: readonly string[]): void {
    if (keys.includes(ADDRESS_LOOKUP_TABLE) || keys.includes(SLOT_HASHES)) this.#show(chain);
  }

  #show({ vm, ring, skipped, slot }: HashedChain): void {
    if (this.#shownAt === slot) return;
    this.#shownAt = slot;
    const newestFirst: { slot: bigint; hash: string }[] = [];
    for (let shown = slot; newestFirst.length < SLOT_HASHES_SHOWN; ) {
      shown = skipped.parentOf(shown);
      newestFirst.push({ slot: shown, hash: ring.hashOf(shown) });
    }
    vm.setSlotHashes(newestFirst);
  }
}
