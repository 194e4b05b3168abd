import { SYSTEM_PROGRAM } from '../../src/chain/accounts/programs.ts';
import { BlockLoad, countdownProgram, type Load } from './block-load.ts';
import { type BlockLimits, BlockSpace } from './block-space.ts';
import type { BlockhashRing } from './blockhash-ring.ts';
import type { HistoryStore } from './history-store.ts';
import type { LandingResult } from './landing.ts';
import { afterAttempt, arrival } from './landing-retries.ts';
import type { SkippedSlots } from './skipped-slots.ts';
import type { SlotClock } from './slot-clock.ts';
import type { StoredAccount, VirtualMachine } from './vm.ts';
import {
  dearestFirst,
  type SentTransaction,
  sentTransaction,
  type Waiting,
  WaitingTransactions,
} from './waiting-transactions.ts';

/** The parts of the ledger that new blocks need. */
export interface ProducingChain {
  readonly vm: VirtualMachine;
  readonly slot: bigint;
  readonly ring: BlockhashRing;
  readonly skipped: SkippedSlots;
  readonly clock: SlotClock;
  readonly history: HistoryStore;
  setAccount(address: string, account: StoredAccount): void;
  addProgram(address: string, elf: Uint8Array): void;
  /** Lands a transaction if the block in progress has room for it. */
  landIfRoom(sent: SentTransaction): LandingResult;
}

const LOAD_LAMPORTS = 100_000_000_000_000n;
const FUNDED_WALLET: StoredAccount = {
  lamports: LOAD_LAMPORTS,
  owner: SYSTEM_PROGRAM,
  data: new Uint8Array(0),
  executable: false,
  rentEpoch: 0n,
};
/** The history of the load is kept as long as its prices are reported. */
const LOAD_KEPT_SLOTS = 300n;
const FORGET_EVERY_SLOTS = 50n;

/** What the next blocks are made of: transactions that have not landed yet, and the load. */
export class BlockProduction {
  readonly space: BlockSpace;
  readonly waiting = new WaitingTransactions();
  readonly #loadTransactions: BlockLoad;
  #load: Load | null = null;

  constructor(genesisHash: string, limits: BlockLimits) {
    this.space = new BlockSpace(limits);
    this.#loadTransactions = new BlockLoad(genesisHash);
  }

  get load(): Load | null {
    return this.#load;
  }

  setLoad(load: Load | null): void {
    this.#load = load;
  }

  /** Whether each of the next blocks begins with transactions. */
  get isBusy(): boolean {
    return this.#load !== null || this.waiting.size > 0;
  }

  /** Takes a transaction that was sent: it lands in the block in progress, or waits. */
  receive(chain: ProducingChain, sent: SentTransaction): void {
    this.#offer(chain, arrival(chain, sent));
  }

  #offer(chain: ProducingChain, waiting: Waiting): void {
    const next = afterAttempt(chain, waiting, chain.landIfRoom(waiting.sent));
    if (next !== null) this.waiting.add(next);
  }

  /** Fills a block that begins: dearest first, whatever does not land waits on. The load of a block never waits. */
  fill(chain: ProducingChain): void {
    this.space.clear();
    if (!this.isBusy) return;
    const due = this.waiting.takeDue(chain.clock.unixMsOf(chain.slot));
    const bySent = new Map(due.map((waiting) => [waiting.sent, waiting]));
    const load = this.#load === null ? [] : this.#loadFor(chain, this.#load);
    for (const sent of dearestFirst([...bySent.keys(), ...load])) {
      const waiting = bySent.get(sent);
      if (waiting === undefined) chain.landIfRoom(sent);
      else this.#offer(chain, waiting);
    }
    if (this.#load !== null && this.#load.share >= 1) this.#fillUp(chain, this.#load);
  }

  #loadFor(chain: ProducingChain, load: Load): SentTransaction[] {
    const { wallets, program } = this.#loadTransactions;
    if (chain.vm.getAccount(program) === null) chain.addProgram(program, countdownProgram());
    for (const wallet of wallets) {
      if (chain.vm.getBalanceLamports(wallet) < LOAD_LAMPORTS / 2n) chain.setAccount(wallet, FUNDED_WALLET);
      if (chain.slot % FORGET_EVERY_SLOTS === 0n)
        chain.history.forgetOf(wallet, chain.slot - LOAD_KEPT_SLOTS);
    }
    return this.#loadTransactions
      .transactionsFor(load, this.space.ordinaryUnits, chain.ring.hashOf(chain.slot))
      .map((transaction) => sentTransaction(transaction, false));
  }

  /** A dearer transaction may displace a larger one of the load: one more takes the room that this leaves. */
  #fillUp(chain: ProducingChain, load: Load): void {
    const room = this.space.ordinaryUnits - this.space.taken;
    const last = this.#loadTransactions.lastFor(load, room, chain.ring.hashOf(chain.slot));
    if (last !== null) chain.landIfRoom(sentTransaction(last, false));
  }
}
