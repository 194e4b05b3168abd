import type { AccountVersions } from './account-versions.ts';
import type { BlockhashRing } from './blockhash-ring.ts';
import type { HistoryStore } from './history-store.ts';
import type { PriorityFees } from './priority-fees.ts';
import { invalidParams } from './rpc-errors.ts';
import type { SkippedSlots } from './skipped-slots.ts';
import type { StoredAccount, VirtualMachine } from './vm.ts';
import { parseTransaction, type WireTransaction } from './wire-transaction.ts';

/** What a fork drops: a number of the newest blocks, or every block since that of a transaction. */
export type ForkRequest = ({ readonly blocks: number } | { readonly signature: string }) & {
  /**
   * Offers the dropped transactions to the next block, in their order; never the one that is named. By default true
   * where one is named.
   */
  readonly landAgain?: boolean;
};

export interface ForkResult {
  /** The newest block that remains, on which the new one is built. */
  readonly parentSlot: bigint;
  /** The slot of the new block. */
  readonly slot: bigint;
  /** Signatures of the dropped blocks that are not in the new one. */
  readonly dropped: readonly string[];
  readonly landedAgain: readonly string[];
}

/** The parts of the ledger that a fork changes. */
export interface ForkContext {
  readonly vm: VirtualMachine;
  readonly slot: bigint;
  readonly ring: BlockhashRing;
  readonly skipped: SkippedSlots;
  readonly history: HistoryStore;
  readonly versions: AccountVersions;
  readonly priorityFees: PriorityFees;
}

/**
 * The slot that remains as the newest one after a fork.
 * @param oldest the newest slot that no fork may drop
 * @throws RpcError -32602 when the request would drop that slot, or names a transaction that is not on the chain
 */
export function parentOfFork(ledger: ForkContext, request: ForkRequest, oldest: bigint): bigint {
  const parentSlot =
    'signature' in request
      ? ledger.skipped.parentOf(slotOf(ledger, request.signature))
      : parentAfterDropping(ledger, request.blocks, oldest);
  if (parentSlot < oldest)
    throw invalidParams(
      `Invalid params: no fork can drop slot ${oldest} or one before it: they are finalized, or older than this run of the chain.`,
    );
  return parentSlot;
}

function slotOf({ history }: ForkContext, signature: string): bigint {
  const found = history.statusOf(signature);
  if (found === null) throw invalidParams(`Invalid params: ${signature} is not on the chain.`);
  return found.slot;
}

function parentAfterDropping({ slot, skipped }: ForkContext, blocks: number, oldest: bigint): bigint {
  let parent = slot;
  for (let dropped = 0; dropped < blocks && parent >= oldest; dropped += 1) parent = skipped.parentOf(parent);
  return parent;
}

/**
 * Takes everything after `parentSlot` back: accounts, transactions, prices and blockhashes. The slots have no block
 * from now on.
 * @returns the dropped transactions in their order, and the accounts that changed back
 */
export function dropBlocksAfter(
  ledger: ForkContext,
  parentSlot: bigint,
): { transactions: readonly WireTransaction[]; accounts: readonly string[] } {
  const before = ledger.versions.dropAfter(parentSlot);
  const accounts = [...before.keys()].filter((address) =>
    restore(ledger.vm, address, before.get(address) ?? null),
  );
  const transactions = ledger.history.dropAfter(parentSlot).map(parseTransaction);
  for (const { message, messageDigest } of transactions)
    ledger.ring.unmarkLanded(message.blockhash, messageDigest);
  ledger.ring.dropAfter(parentSlot);
  ledger.priorityFees.dropAfter(parentSlot);
  ledger.skipped.add(parentSlot + 1n, ledger.slot);
  return { transactions, accounts };
}

/** Gives an account an earlier state. Returns whether it differed. */
function restore(vm: VirtualMachine, address: string, earlier: StoredAccount | null): boolean {
  const newest = vm.getAccount(address);
  if (isSameState(earlier, newest)) return false;
  if (earlier === null) vm.removeAccount(address);
  else vm.setAccount(address, earlier);
  return true;
}

function isSameState(one: StoredAccount | null, other: StoredAccount | null): boolean {
  if (one === null || other === null) return one === other;
  return (
    one.lamports === other.lamports &&
    one.owner === other.owner &&
    one.executable === other.executable &&
    one.rentEpoch === other.rentEpoch &&
    Buffer.from(one.data).equals(other.data)
  );
}
