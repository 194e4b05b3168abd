import type { StoredAccount } from './vm.ts';

/** Account states are kept this far back: enough for every commitment and for a lagging node. */
export const KEPT_SLOTS = 200n;

/**
 * Undo log of accounts. The virtual machine holds only the newest state; this keeps, per slot, what each changed
 * account was before its first change in that slot, so a read at `confirmed`, `finalized` or on a lagging node is
 * the state of that slot and not a later one. Lives in memory: after a restart, older states are the newest.
 */
export class AccountVersions {
  /** slot → address → state before that slot; slots ascend in insertion order. */
  readonly #before = new Map<bigint, Map<string, StoredAccount | null>>();

  /** Notes the state of an account before a change in `slot`; only the first note of a slot counts. */
  record(slot: bigint, address: string, state: StoredAccount | null): void {
    let changes = this.#before.get(slot);
    if (changes === undefined) {
      changes = new Map();
      this.#before.set(slot, changes);
    }
    if (!changes.has(address)) changes.set(address, state);
  }

  /** State of an account at the end of `slot`; `newest` is asked when nothing changed since. */
  at(slot: bigint, address: string, newest: () => StoredAccount | null): StoredAccount | null {
    for (const [changedSlot, changes] of this.#before) {
      if (changedSlot <= slot) continue;
      const state = changes.get(address);
      if (state !== undefined) return state;
    }
    return newest();
  }

  /** Addresses whose newest state may differ from their state at `slot`. */
  changedAfter(slot: bigint): Set<string> {
    const addresses = new Set<string>();
    for (const [changedSlot, changes] of this.#before)
      if (changedSlot > slot) for (const address of changes.keys()) addresses.add(address);
    return addresses;
  }

  /** Forgets the changes after `slot`. Returns the accounts that they changed, as these were at its end. */
  dropAfter(slot: bigint): Map<string, StoredAccount | null> {
    const states = new Map<string, StoredAccount | null>();
    for (const [changedSlot, changes] of this.#before) {
      if (changedSlot <= slot) continue;
      for (const [address, state] of changes) if (!states.has(address)) states.set(address, state);
      this.#before.delete(changedSlot);
    }
    return states;
  }

  /** Forgets what no reader can ask for any more. */
  prune(headSlot: bigint): void {
    for (const slot of this.#before.keys()) {
      if (slot >= headSlot - KEPT_SLOTS) break;
      this.#before.delete(slot);
    }
  }
}
