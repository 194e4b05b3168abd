import type { AccountVersions } from './account-versions.ts';
import type { LoadedAddresses } from './address-lookup.ts';
import { captureBalances } from './balance-capture.ts';
import { type BlockSpace, blockUnitsOf } from './block-space.ts';
import type { BlockhashRing } from './blockhash-ring.ts';
import { advancedAccount } from './durable-nonces.ts';
import { feeTermsOf } from './fees.ts';
import type { HistoryStore } from './history-store.ts';
import type { LedgerChange } from './ledger-listener.ts';
import type { PriorityFees } from './priority-fees.ts';
import type { SkippedSlots } from './skipped-slots.ts';
import type { SlotClock } from './slot-clock.ts';
import type { TransactionError } from './transaction-error.ts';
import { buildMeta } from './transaction-meta.ts';
import type { Execution, VirtualMachine } from './vm.ts';
import { type WireMessage, writableKeys } from './wire-message.ts';
import type { WireTransaction } from './wire-transaction.ts';

/** The outcome of a transaction: it landed (perhaps failed, with its fee paid), or was refused without a trace. */
export interface LandingResult {
  readonly landed: boolean;
  readonly err: TransactionError | null;
  /** It was not tried, because the block has no room for it. */
  readonly isBlockFull?: true;
}

/** Which part of a block a transaction may take; `any` is not limited. */
export type Room = 'any' | 'ordinary' | 'reserved';

/** The parts of the ledger that landing a transaction needs. */
export interface LandingContext {
  readonly vm: VirtualMachine;
  readonly slot: bigint;
  readonly ring: BlockhashRing;
  readonly skipped: SkippedSlots;
  readonly clock: SlotClock;
  readonly history: HistoryStore;
  readonly versions: AccountVersions;
  readonly priorityFees: PriorityFees;
  readonly blockSpace: BlockSpace;
  refusalOf(transaction: WireTransaction, atSlot: bigint): TransactionError | null;
  loadedAddressesOf(message: WireMessage): LoadedAddresses | null;
  durableNonceAt(message: WireMessage, atSlot: bigint): string | null;
  showSysvars(message: WireMessage, keys: readonly string[]): void;
  preparePrograms(message: WireMessage, loaded: LoadedAddresses): void;
  execute(transaction: WireTransaction, keys: readonly string[]): Execution;
  announce(change: LedgerChange): void;
}

/**
 * Runs one transaction in the ledger's current slot, in a validator's order: blockhash age, duplicate, signatures,
 * fee payer, execution. A transaction that was executed enters history, with its error if it failed.
 */
export function landTransaction(
  ledger: LandingContext,
  transaction: WireTransaction,
  indexInSlot: number,
  room: Room = 'any',
): LandingResult {
  const { vm } = ledger;
  const { message } = transaction;
  const refusal = ledger.refusalOf(transaction, ledger.slot);
  if (refusal !== null) return { landed: false, err: refusal };
  const loaded = ledger.loadedAddressesOf(message);
  if (loaded === null) return { landed: false, err: 'AddressLookupTableNotFound' };
  const keys = [...message.staticKeys, ...loaded.writable, ...loaded.readonly];
  const writable = writableKeys(message, loaded);
  const { feeLamports, priceMicroLamports, computeUnits } = feeTermsOf(message);
  const blockUnits = (executed: number) =>
    blockUnitsOf(executed, message.header.numRequiredSignatures, writable.length);
  if (room !== 'any' && !ledger.blockSpace.fits(blockUnits(computeUnits), writable, room === 'reserved'))
    return { landed: false, err: null, isBlockFull: true };
  // Whether it has a nonce is known only before it runs.
  const nonceAddress = ledger.ring.isValid(message.blockhash, ledger.slot)
    ? null
    : ledger.durableNonceAt(message, ledger.slot);
  ledger.showSysvars(message, keys);
  ledger.preparePrograms(message, loaded);

  const statesBefore = writable.map((address) => ({ address, state: vm.getAccount(address) }));
  const capture = () =>
    captureBalances(
      message,
      keys,
      (address) => vm.getBalanceLamports(address),
      (address) => vm.getAccount(address),
    );
  const before = capture();
  const execution = ledger.execute(transaction, keys);
  if (!execution.landed) return { landed: false, err: execution.err };
  if (execution.err !== null && nonceAddress !== null) advanceNonce(ledger, nonceAddress);

  for (const { address, state } of statesBefore) ledger.versions.record(ledger.slot, address, state);
  const after = capture();
  const { err } = execution;
  const costUnits = blockUnits(Number(execution.meta.computeUnitsConsumed()));
  ledger.blockSpace.take(costUnits, writable);
  ledger.priorityFees.record(ledger.slot, priceMicroLamports, writable);
  ledger.ring.markLanded(message.blockhash, transaction.messageDigest);
  ledger.history.append({
    signature: transaction.signature,
    slot: ledger.slot,
    indexInSlot,
    blockTimeSeconds: Math.floor(ledger.clock.unixMsOf(ledger.slot) / 1000),
    errJson: err === null ? null : JSON.stringify(err),
    wire: transaction.bytes,
    metaJson: JSON.stringify(
      buildMeta({ err, feeLamports, costUnits, before, after, loaded, execution: execution.meta }),
    ),
    accountKeys: keys,
  });
  ledger.announce({
    slot: ledger.slot,
    transaction: { signature: transaction.signature, err, logs: execution.meta.logs(), accountKeys: keys },
    accounts: err === null ? writable : failedChanges(writable[0], nonceAddress),
  });
  return { landed: true, err };
}

/** A transaction that failed advances its nonce all the same: it cannot be repeated, and its fee is paid once. */
function advanceNonce({ vm, ring, slot }: LandingContext, address: string): void {
  const account = vm.getAccount(address);
  if (account !== null) vm.setAccount(address, advancedAccount(account, ring.hashOf(slot)));
}

/** The accounts that a failed transaction changes. */
function failedChanges(payer: string | undefined, nonceAddress: string | null): string[] {
  return [...new Set([payer, nonceAddress])].filter((address) => address !== undefined && address !== null);
}
