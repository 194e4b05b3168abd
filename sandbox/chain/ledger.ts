import { CLOCK_SYSVAR } from '../../src/chain/accounts/programs.ts';
import { AccountVersions, KEPT_SLOTS } from './account-versions.ts';
import { type LoadedAddresses, resolveLookups } from './address-lookup.ts';
import { BlockProduction } from './block-production.ts';
import { type BlockSpace, blockLimits } from './block-space.ts';
import { BlockhashRing } from './blockhash-ring.ts';
import { type ChainState, loadChainState, resumeClock, saveChainState } from './chain-state.ts';
import { clockAccountAt } from './clock-account.ts';
import { CLUSTER_RENT_LAMPORTS_PER_BYTE, clusterBlockComputeUnits } from './cluster-facts.ts';
import { durableNonceOf, nonceOfBlockhash } from './durable-nonces.ts';
import { Faucet } from './faucet.ts';
import { computeUnitPriceOf, feeLamportsOf } from './fees.ts';
import { dropBlocksAfter, type ForkRequest, type ForkResult, parentOfFork } from './fork.ts';
import { HistoryStore } from './history-store.ts';
import { type LandingResult, landTransaction, type Room } from './landing.ts';
import type { LedgerChange, LedgerListener } from './ledger-listener.ts';
import { PRIORITY_FEE_SLOTS, PriorityFees } from './priority-fees.ts';
import { ProgramEngine } from './programs/engine.ts';
import type { ProgramModel } from './programs/model.ts';
import { RECENT_BLOCKHASHES_SYSVAR, recentBlockhashesAt } from './recent-blockhashes.ts';
import { SkippedSlots } from './skipped-slots.ts';
import { SlotClock } from './slot-clock.ts';
import { SlotHashes } from './slot-hashes.ts';
import type { TransactionError } from './transaction-error.ts';
import { type Execution, type Simulation, type StoredAccount, VirtualMachine } from './vm.ts';
import type { SentTransaction } from './waiting-transactions.ts';
import { type WireMessage, writableKeys } from './wire-message.ts';
import { parseTransaction, type WireTransaction, withBlockhash } from './wire-transaction.ts';

export interface LedgerOptions {
  /** SQLite file that holds everything, or null for memory only. */
  readonly file: string | null;
  /** Milliseconds per slot, or 'manual' when only advanceSlots moves the chain. */
  readonly slotMs: number | 'manual';
  readonly finalizedAfterSlots: bigint;
  /** Blocks a blockhash lives. */
  readonly blockhashWindow: bigint;
  readonly maxTransactions: number;
  /** Null: as a cluster with slots of this length. */
  readonly blockComputeUnits: number | null;
  /** Null: a new chain has a cluster's rent, a saved one goes on with its own. */
  readonly rentLamportsPerByte: bigint | null;
  readonly nowMs: () => number;
  /** Programs that are computed in TypeScript (see programs/model.ts). */
  readonly models: readonly ProgramModel[];
}

const RENT_SYSVAR = 'SysvarRent111111111111111111111111111111111';
/** On a jump over more slots only the newest blocks are filled. */
const FILLED_SLOTS_MAX = 150n;
// Sends that a fault may hold back at once.
const MAX_HELD_BACK = 10_000;

/** The one chain behind every node: slots, blockhashes, accounts and history. All state changes are synchronous. */
export class Ledger {
  readonly vm: VirtualMachine;
  readonly programs: ProgramEngine;
  readonly history: HistoryStore;
  readonly ring: BlockhashRing;
  readonly clock: SlotClock;
  readonly skipped: SkippedSlots;
  readonly genesisHash: string;
  readonly finalizedAfterSlots: bigint;
  readonly versions = new AccountVersions();
  readonly priorityFees = new PriorityFees(PRIORITY_FEE_SLOTS + KEPT_SLOTS);
  readonly faucet: Faucet;
  readonly production: BlockProduction;
  /** They get every change. A listener removes itself when it is done. */
  readonly listeners = new Set<LedgerListener>();
  readonly #slotHashes = new SlotHashes();
  readonly #options: LedgerOptions;
  /** States before this slot are not known. */
  readonly #startSlot: bigint;
  #slotMs: number;
  #hasReserve = false;
  #headSlot: bigint;
  #landedInSlot: number;
  #heldBack: { readonly sent: SentTransaction; readonly slot: bigint }[] = [];
  #changed = true;

  constructor(options: LedgerOptions) {
    this.#options = options;
    this.finalizedAfterSlots = options.finalizedAfterSlots;
    this.history = new HistoryStore(options.file, options.maxTransactions);
    const saved = loadChainState(this.history);
    const state: ChainState = resumeClock(saved?.state ?? null, options.slotMs, options.nowMs());
    this.genesisHash = state.genesisHash;
    this.clock = new SlotClock(state.segments);
    this.#slotMs = this.clock.newest.slotMs;
    this.skipped = new SkippedSlots(state.skipped);
    this.#headSlot = state.slot;
    this.#startSlot = state.slot;
    this.vm = new VirtualMachine(saved?.snapshot);
    const rent = options.rentLamportsPerByte ?? (saved === null ? CLUSTER_RENT_LAMPORTS_PER_BYTE : null);
    if (rent !== null) this.vm.setRent(rent);
    this.ring = new BlockhashRing(this.genesisHash, this.#headSlot, options.blockhashWindow, this.skipped);
    this.#landedInSlot = this.history.bySlot(this.#headSlot).length;
    this.#recallRecent();
    this.faucet = new Faucet(this.genesisHash);
    this.production = new BlockProduction(this.genesisHash, this.#blockLimits());
    this.vm.setClock(this.#headSlot, this.clock.unixMsOf(this.#headSlot));
    for (const { address, account } of options.models.flatMap(({ accounts = [] }) => accounts))
      if (this.vm.getAccount(address) === null) this.vm.setAccount(address, account);
    this.programs = new ProgramEngine(
      {
        account: (address) => this.vm.getAccount(address),
        install: (address, elf) => this.vm.addProgram(address, elf),
        rentExemptLamports: (bytes) => this.vm.rentExemptLamports(bytes),
      },
      options.models,
    );
  }

  /** The slot being processed. */
  get slot(): bigint {
    return this.#headSlot;
  }

  /** Milliseconds of a slot; on a manual chain what each counts for. */
  get slotMs(): number {
    return this.#slotMs;
  }

  get blockSpace(): BlockSpace {
    return this.production.space;
  }

  get dirty(): boolean {
    return this.#changed;
  }

  /** Catches up with the wall clock; does nothing on a manual chain. */
  tick(): void {
    if (this.#options.slotMs !== 'manual') this.#advanceTo(this.clock.slotAt(this.#options.nowMs()));
  }

  /** Moves `count` slots ahead at once; on a ticking chain they share one instant, so time stays true. */
  advanceSlots(count: number | bigint): void {
    const target = this.#headSlot + BigInt(count);
    if (this.#options.slotMs !== 'manual') {
      const unixMs = this.#options.nowMs();
      this.clock.push({ slot: this.#headSlot, unixMs, slotMs: 0 });
      this.clock.push({ slot: target, unixMs, slotMs: this.#slotMs });
    }
    this.#advanceTo(target);
    this.#changed = true;
  }

  /** Gives every slot from the current one on another length, and the blocks a cluster's limits for it. */
  setSlotMs(slotMs: number): void {
    this.tick();
    const slot = this.#headSlot;
    const isManual = this.#options.slotMs === 'manual';
    this.clock.push({ slot, unixMs: isManual ? this.clock.unixMsOf(slot) : this.#options.nowMs(), slotMs });
    this.#slotMs = slotMs;
    this.blockSpace.setLimits(this.#blockLimits());
    this.#changed = true;
  }

  /** Keeps a part of each block for landing services. */
  keepReserve(): void {
    this.#hasReserve = true;
    this.blockSpace.setLimits(this.#blockLimits());
  }

  #blockLimits() {
    const { blockComputeUnits } = this.#options;
    return blockLimits(blockComputeUnits ?? clusterBlockComputeUnits(this.#slotMs), this.#hasReserve);
  }

  /** Changes the rent, as a cluster does at the beginning of an epoch. Existing accounts keep their lamports. */
  setRent(lamportsPerByte: bigint): void {
    this.versions.record(this.#headSlot, RENT_SYSVAR, this.vm.getAccount(RENT_SYSVAR));
    this.vm.setRent(lamportsPerByte);
    this.#changed = true;
    this.announce({ slot: this.#headSlot, transaction: null, accounts: [RENT_SYSVAR] });
  }

  /** Milliseconds until the next slot begins, at most a slot. */
  get msToNextSlot(): number {
    const leftMs = this.clock.unixMsOf(this.#headSlot + 1n) - this.#options.nowMs();
    return Math.min(Math.max(leftMs, 1), this.#slotMs);
  }

  /** Runs a transaction in the current slot, however full the block is. */
  land(transaction: WireTransaction): LandingResult {
    return this.#land(transaction, 'any');
  }

  /** Takes a transaction that was sent: it lands in the current slot, or in a later one while it still may. */
  receive(sent: SentTransaction): void {
    this.production.receive(this, sent);
  }

  /** Runs a transaction in the current slot if the block has room for it. */
  landIfRoom({ transaction, mayUseReserve }: SentTransaction): LandingResult {
    return this.#land(transaction, mayUseReserve ? 'reserved' : 'ordinary');
  }

  /** Receives a transaction `delaySlots` slots later. Not part of the saved state. */
  receiveLater(sent: SentTransaction, delaySlots: number): void {
    if (this.#heldBack.length >= MAX_HELD_BACK) throw new Error('too many transactions are held back');
    this.#heldBack.push({ sent, slot: this.#headSlot + BigInt(delaySlots) });
    this.#heldBack.sort((a, b) => Number(a.slot - b.slot));
  }

  /**
   * Drops the newest blocks and goes on in a new one, as a cluster does that leaves a fork: accounts are as they were,
   * statuses are gone, and a dropped transaction may land again while its blockhash is of a block that remains.
   * @throws RpcError -32602 when a block is finalized, or older than the known states
   */
  fork(request: ForkRequest): ForkResult {
    const parentSlot = parentOfFork(this, request, this.#oldestParent());
    const { transactions, accounts } = dropBlocksAfter(this, parentSlot);
    for (const listener of this.listeners) listener.forked(parentSlot);
    this.advanceSlots(1);
    if (accounts.length > 0) this.announce({ slot: this.#headSlot, transaction: null, accounts });
    const named = 'signature' in request ? request.signature : null;
    const { landAgain = named !== null } = request;
    const landedAgain = landAgain ? this.#landAgain(transactions, named) : [];
    const dropped = transactions
      .map(({ signature }) => signature)
      .filter((signature) => !landedAgain.includes(signature));
    return { parentSlot, slot: this.#headSlot, dropped, landedAgain };
  }

  /** @returns the signatures of those that landed */
  #landAgain(transactions: readonly WireTransaction[], except: string | null): string[] {
    const paidByFaucet = ({ message }: WireTransaction) => message.staticKeys[0] === this.faucet.address;
    // The fork may have taken back its last refill.
    if (transactions.some(paidByFaucet)) this.faucet.refillIfLow(this);
    return transactions
      .filter((one) => one.signature !== except && this.land(one).landed)
      .map(({ signature }) => signature);
  }

  /** The oldest slot on which a fork may be built. */
  #oldestParent(): bigint {
    let oldest = this.#headSlot - this.finalizedAfterSlots;
    for (const slot of [this.#headSlot - KEPT_SLOTS, this.#startSlot]) if (slot > oldest) oldest = slot;
    return oldest;
  }

  /** Why a bank at `atSlot` would refuse the transaction before running it, or null. */
  refusalOf(transaction: WireTransaction, atSlot: bigint): TransactionError | null {
    const { message, messageDigest } = transaction;
    if (!this.ring.isValid(message.blockhash, atSlot))
      return this.durableNonceAt(message, atSlot) === null ? 'BlockhashNotFound' : null;
    return this.ring.hasLanded(message.blockhash, messageDigest) ? 'AlreadyProcessed' : null;
  }

  /** The nonce account by which a bank at `atSlot` accepts a transaction without a recent blockhash; null when none. */
  durableNonceAt(message: WireMessage, atSlot: bigint): string | null {
    // A block that has ended is followed by another blockhash: each of its nonces can be advanced.
    const isInProgress = atSlot === this.#headSlot;
    if (isInProgress && message.blockhash === nonceOfBlockhash(this.ring.hashOf(atSlot))) return null;
    return durableNonceOf(message, (address) => this.accountAt(address, atSlot))?.address ?? null;
  }

  /** The fee of a message at a slot; null when it cannot land there. */
  feeLamportsAt(message: WireMessage, slot: bigint): bigint | null {
    const hasLifetime =
      this.ring.isValid(message.blockhash, slot) ||
      durableNonceOf(message, (address) => this.accountAt(address, slot)) !== null;
    return hasLifetime ? feeLamportsOf(message) : null;
  }

  /** Runs a transaction on the newest state without keeping its effects. */
  simulate(transaction: WireTransaction, verify: boolean): Simulation {
    const { message } = transaction;
    const loaded = this.loadedAddressesOf(message);
    const keys = [...message.staticKeys, ...(loaded?.writable ?? []), ...(loaded?.readonly ?? [])];
    this.showSysvars(message, keys);
    if (loaded !== null) this.preparePrograms(message, loaded);
    if (!keys.includes(RECENT_BLOCKHASHES_SYSVAR)) return this.vm.simulate(transaction, verify);
    if (verify) {
      const verified = this.vm.simulate(transaction, true);
      if (verified.err === 'SignatureFailure') return verified;
    }
    return this.vm.simulate(withBlockhash(transaction, this.ring.hashOf(this.#headSlot)), false);
  }

  /**
   * Runs a transaction and keeps its effects. The virtual machine derives nonces from the blockhash of the transaction,
   * a cluster from that of its newest block: transactions that can change a nonce run with the latter.
   */
  execute(transaction: WireTransaction, keys: readonly string[]): Execution {
    if (!keys.includes(RECENT_BLOCKHASHES_SYSVAR)) return this.vm.execute(transaction);
    const verified = this.vm.simulate(transaction, true);
    if (verified.err === 'SignatureFailure') return verified;
    return this.vm.execute(withBlockhash(transaction, this.ring.hashOf(this.#headSlot)), false);
  }

  /** Updates the sysvars that a transaction with these keys can read, where that takes too long for all. */
  showSysvars(message: WireMessage, keys: readonly string[]): void {
    this.#slotHashes.showForMessage(this, message, keys);
    if (keys.includes(RECENT_BLOCKHASHES_SYSVAR))
      this.vm.setAccount(RECENT_BLOCKHASHES_SYSVAR, this.#recentBlockhashesAt(this.#headSlot));
  }

  #recentBlockhashesAt(slot: bigint): StoredAccount {
    return recentBlockhashesAt(this.ring, this.skipped, slot, (bytes) => this.vm.rentExemptLamports(bytes));
  }

  /** The addresses that a message takes from lookup tables; null when a table or an index does not exist. */
  loadedAddressesOf(message: WireMessage): LoadedAddresses | null {
    return resolveLookups(message, (address) => this.vm.getAccount(address));
  }

  /** Gets the computed programs ready for a transaction that is about to run. */
  preparePrograms(message: WireMessage, loaded: LoadedAddresses): void {
    const keys = [...message.staticKeys, ...loaded.writable, ...loaded.readonly];
    const unixSeconds = BigInt(Math.floor(this.clock.unixMsOf(this.#headSlot) / 1000));
    this.programs.prepare(message, keys, loaded.writable.length, { slot: this.#headSlot, unixSeconds });
  }

  /** State of an account at the end of a slot; null when it did not exist. */
  accountAt(address: string, slot: bigint): StoredAccount | null {
    this.#slotHashes.showFor(this, [address]);
    if (address === RECENT_BLOCKHASHES_SYSVAR) return this.#recentBlockhashesAt(slot);
    if (address === CLOCK_SYSVAR)
      return clockAccountAt(this.vm.getAccount(address), slot, this.clock.unixMsOf(slot));
    return this.versions.at(slot, address, () => this.vm.getAccount(address));
  }

  /** Accounts owned by a program at the end of a slot. */
  programAccountsAt(program: string, slot: bigint): { address: string; account: StoredAccount }[] {
    const changed = this.versions.changedAfter(slot);
    const found = this.vm.getProgramAccounts(program).filter(({ address }) => !changed.has(address));
    for (const address of changed) {
      const account = this.accountAt(address, slot);
      if (account?.owner === program) found.push({ address, account });
    }
    return found;
  }

  /** Creates or overwrites an account without any rule: for states that transactions cannot reach. */
  setAccount(address: string, account: StoredAccount): void {
    this.versions.record(this.#headSlot, address, this.vm.getAccount(address));
    this.vm.setAccount(address, account);
    this.#changed = true;
    this.announce({ slot: this.#headSlot, transaction: null, accounts: [address] });
  }

  /** Reports a change to every listener. */
  announce(change: LedgerChange): void {
    for (const listener of this.listeners) listener.changed(change);
  }

  /** Loads a program binary; it also takes the place of a computed program. */
  addProgram(address: string, elf: Uint8Array): void {
    this.programs.remove(address);
    this.vm.addProgram(address, elf);
    this.#changed = true;
  }

  /** Writes snapshot, clock and history as one commit. Returns the milliseconds that it took. */
  save(): number {
    if (this.#options.file === null) return 0;
    const startedAt = performance.now();
    saveChainState(this.history, this.vm.snapshot(), {
      genesisHash: this.genesisHash,
      slot: this.#headSlot,
      manual: this.#options.slotMs === 'manual',
      segments: this.clock.segments,
      skipped: this.skipped.ranges,
    });
    this.#changed = false;
    return performance.now() - startedAt;
  }

  close(): void {
    this.history.close();
  }

  /** Restores from history which recent transactions have landed and what they paid. */
  #recallRecent(): void {
    const oldest = this.ring.oldestSlotAt(this.#headSlot);
    for (const { wire, slot, metaJson } of this.history.sinceSlot(oldest)) {
      const { message, messageDigest } = parseTransaction(wire);
      this.ring.markLanded(message.blockhash, messageDigest);
      const { loadedAddresses }: { loadedAddresses: LoadedAddresses } = JSON.parse(metaJson);
      this.priorityFees.record(slot, computeUnitPriceOf(message), writableKeys(message, loadedAddresses));
    }
    this.priorityFees.prune(this.#headSlot);
  }

  #advanceTo(target: bigint): void {
    while (true) {
      const next = this.#heldBack[0];
      if (next === undefined || next.slot > target) break;
      this.#heldBack.shift();
      this.#moveTo(next.slot);
      this.receive(next.sent);
    }
    this.#moveTo(target);
  }

  /** Enters a slot; every slot before it where blocks have to be filled. */
  #moveTo(slot: bigint): void {
    if (this.production.isBusy) this.#enterSlot(slot - FILLED_SLOTS_MAX);
    while (this.production.isBusy && this.#headSlot < slot) this.#enterSlot(this.#headSlot + 1n);
    this.#enterSlot(slot);
  }

  #land(transaction: WireTransaction, room: Room): LandingResult {
    const result = landTransaction(this, transaction, this.#landedInSlot, room);
    if (result.landed) {
      this.#landedInSlot += 1;
      this.#changed = true;
    }
    return result;
  }

  #enterSlot(slot: bigint): void {
    if (slot <= this.#headSlot) return;
    this.#headSlot = slot;
    this.#landedInSlot = 0;
    this.ring.advanceTo(slot);
    this.versions.prune(slot);
    this.priorityFees.prune(slot);
    this.vm.setClock(slot, this.clock.unixMsOf(slot));
    for (const listener of this.listeners) listener.slotEntered();
    this.production.fill(this);
  }
}
