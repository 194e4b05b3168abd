import bs58 from 'bs58';
import {
  Account,
  Clock,
  EpochSchedule,
  FailedTransactionMetadata,
  LiteSvm,
  Rent,
  type TransactionMetadata,
} from 'litesvm/dist/internal.js';
import { encodeBase58 } from '../../src/shared/base58.ts';
import { type TransactionError, transactionErrorOf } from './transaction-error.ts';
import type { WireTransaction } from './wire-transaction.ts';

/** A stored account. Readers get null for one that does not exist. */
export interface StoredAccount {
  readonly lamports: bigint;
  readonly owner: string;
  readonly data: Uint8Array;
  readonly executable: boolean;
  readonly rentEpoch: bigint;
}

/** Outcome of an execution; `landed` false = refused before execution: no fee, no history. */
export interface Execution {
  readonly landed: boolean;
  readonly err: TransactionError | null;
  readonly meta: TransactionMetadata;
}

/** A simulation also has the accounts after it. */
export interface Simulation extends Execution {
  readonly postAccounts: ReadonlyMap<string, StoredAccount | null>;
}

/** All epochs of mainnet are as long. The schedule of the library begins with short ones, as young clusters do. */
export const SLOTS_PER_EPOCH = 432_000n;
// Of the rent sysvar since SIMD-0194.
const EXEMPTION_THRESHOLD = 1;
const BURN_PERCENT = 50;

/**
 * The virtual machine behind the ledger: LiteSVM's native binding, bytes in, bytes out. Its own blockhash check and
 * transaction history are off, because it knows only one blockhash; the ledger enforces both.
 */
export class VirtualMachine {
  readonly #svm: LiteSvm;

  constructor(snapshot?: Uint8Array) {
    this.#svm = snapshot === undefined ? new LiteSvm() : LiteSvm.fromBytes(snapshot);
    if (snapshot === undefined) {
      this.#svm.withNativeMints();
      this.#svm.setEpochSchedule(new EpochSchedule(SLOTS_PER_EPOCH, SLOTS_PER_EPOCH, false, 0n, 0n));
    }
    this.#svm.setBlockhashCheck(false);
    this.#svm.setTransactionHistory(0n);
    this.#svm.setSigverify(true);
  }

  snapshot(): Uint8Array {
    return this.#svm.toBytes();
  }

  addProgram(address: string, elf: Uint8Array): void {
    this.#svm.addProgram(bs58.decode(address), elf);
  }

  setClock(slot: bigint, unixMs: number): void {
    const epoch = slot / SLOTS_PER_EPOCH;
    const unixSeconds = BigInt(Math.floor(unixMs / 1000));
    this.#svm.setClock(new Clock(slot, unixSeconds, epoch, epoch + 1n, unixSeconds));
  }

  get rentLamportsPerByte(): bigint {
    return this.#svm.getRent().lamportsPerByteYear;
  }

  /** Sets the rent sysvar: programs, checks of transactions and `rentExemptLamports` follow it. */
  setRent(lamportsPerByte: bigint): void {
    this.#svm.setRent(new Rent(lamportsPerByte, EXEMPTION_THRESHOLD, BURN_PERCENT));
  }

  setSlotHashes(newestFirst: readonly { slot: bigint; hash: string }[]): void {
    this.#svm.setSlotHashes([...newestFirst]);
  }

  getAccount(address: string): StoredAccount | null {
    return toStored(this.#svm.getAccount(bs58.decode(address)));
  }

  setAccount(address: string, account: StoredAccount): void {
    const owner = bs58.decode(account.owner);
    const native = new Account(account.lamports, account.data, owner, account.executable, account.rentEpoch);
    this.#svm.setAccount(bs58.decode(address), native);
  }

  removeAccount(address: string): void {
    const nobody = new Uint8Array(32);
    this.#svm.setAccount(bs58.decode(address), new Account(0n, new Uint8Array(0), nobody, false, 0n));
  }

  getBalanceLamports(address: string): bigint {
    return this.#svm.getBalance(bs58.decode(address)) ?? 0n;
  }

  /** Every account of a program, about 10 us each: callers filter them before they encode any. */
  getProgramAccounts(program: string): { address: string; account: StoredAccount }[] {
    const found: { address: string; account: StoredAccount }[] = [];
    for (const entry of this.#svm.getProgramAccounts(bs58.decode(program))) {
      const account = toStored(entry.account(), program);
      if (account !== null) found.push({ address: encodeBase58(entry.address), account });
    }
    return found;
  }

  rentExemptLamports(dataLength: number): bigint {
    return this.#svm.minimumBalanceForRentExemption(BigInt(dataLength));
  }

  /** Runs a transaction. `verify` false skips the signature check. */
  execute(transaction: WireTransaction, verify = true): Execution {
    this.#svm.setSigverify(verify);
    try {
      const result =
        transaction.message.version === 'legacy'
          ? this.#svm.sendLegacyTransaction(transaction.bytes)
          : this.#svm.sendVersionedTransaction(transaction.bytes);
      return toExecution(result);
    } finally {
      this.#svm.setSigverify(true);
    }
  }

  /** Runs a transaction without keeping its effects. `verify` false skips the signature check. */
  simulate(transaction: WireTransaction, verify: boolean): Simulation {
    this.#svm.setSigverify(verify);
    try {
      const result =
        transaction.message.version === 'legacy'
          ? this.#svm.simulateLegacyTransaction(transaction.bytes)
          : this.#svm.simulateVersionedTransaction(transaction.bytes);
      if (result instanceof FailedTransactionMetadata) {
        return { ...toExecution(result), postAccounts: new Map() };
      }
      const postAccounts = new Map(
        result.postAccounts().map((entry) => [encodeBase58(entry.address), toStored(entry.account())]),
      );
      return { landed: true, err: null, meta: result.meta(), postAccounts };
    } finally {
      this.#svm.setSigverify(true);
    }
  }
}

function toExecution(result: TransactionMetadata | FailedTransactionMetadata): Execution {
  if (!(result instanceof FailedTransactionMetadata)) return { landed: true, err: null, meta: result };
  const meta = result.meta();
  // A refusal before execution is reported under the all-zero signature, and charges nothing (measured).
  // Without signatures the id is always zero. Then a log line shows that it ran.
  const landed = meta.signature().some((byte) => byte !== 0) || meta.logs().length > 0;
  return { landed, err: transactionErrorOf(result), meta };
}

function toStored(account: Account | null, owner?: string): StoredAccount | null {
  if (account === null) return null;
  const lamports = account.lamports();
  const data = account.data();
  if (lamports === 0n && data.length === 0) return null;
  return {
    lamports,
    owner: owner ?? encodeBase58(account.owner()),
    data,
    executable: account.executable(),
    rentEpoch: account.rentEpoch(),
  };
}
