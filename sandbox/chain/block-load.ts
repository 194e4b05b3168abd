import { createPublicKey, type KeyObject, sign } from 'node:crypto';
import bs58 from 'bs58';
import { COMPUTE_BUDGET } from '../../src/chain/accounts/programs.ts';
import { encodeBase58 } from '../../src/shared/base58.ts';
import { ed25519PrivateKey } from '../../src/shared/ed25519-private-key.ts';
import { blockUnitsOf } from './block-space.ts';
import { Assembler } from './programs/assembler.ts';
import { elfImage } from './programs/elf.ts';
import { parseTransaction, type WireTransaction } from './wire-transaction.ts';

/** Transactions of others that are offered to every block. */
export interface Load {
  /** Their units as a share of the block: 1 fills it. */
  readonly share: number;
  /** Prices in micro-lamports a compute unit, spread evenly over the transactions. */
  readonly fromPrice: number;
  readonly toPrice: number;
  /** Accounts that each of them locks for writing. */
  readonly accounts: readonly string[];
}

const MAX_TRANSACTION_UNITS = 1_400_000;
const LEAST_TRANSACTIONS = 10;
const WALLETS = 8;
// Both compute-budget instructions, and those of the program besides its loop.
const FIXED_UNITS = 150 + 150 + 10;
const UNITS_PER_TURN = 103;

/** Makes signed transactions that use up the compute units that they ask for. */
export class BlockLoad {
  /** Several, because a block has room for only so much that writes one account. */
  readonly wallets: readonly string[];
  readonly program: string;
  readonly #privateKeys: readonly KeyObject[];

  constructor(genesisHash: string) {
    const seedOf = (name: string) => new Bun.CryptoHasher('sha256').update(`${name}:${genesisHash}`).digest();
    this.#privateKeys = Array.from({ length: WALLETS }, (_, index) =>
      ed25519PrivateKey(seedOf(`load-${index}`)),
    );
    this.wallets = this.#privateKeys.map((key) => {
      const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
      return encodeBase58(spki.subarray(-32));
    });
    this.program = encodeBase58(seedOf('load-program'));
  }

  /**
   * The transactions for one block, dearest first.
   * @param roomUnits all units of the block that they may take
   */
  transactionsFor(load: Load, roomUnits: number, blockhash: string): WireTransaction[] {
    const total = Math.floor(roomUnits * load.share);
    const largest = Math.min(MAX_TRANSACTION_UNITS, Math.ceil(roomUnits / LEAST_TRANSACTIONS));
    const count = Math.ceil(total / largest);
    const units = Math.floor(total / count);
    return Array.from({ length: count }, (_, index) => {
      const part = count === 1 ? 1 : 1 - index / (count - 1);
      const price = Math.round(load.fromPrice + (load.toPrice - load.fromPrice) * part);
      return this.#transaction(load, { units, price, index }, blockhash);
    }).filter((transaction) => transaction !== null);
  }

  /** A transaction at the lowest price for the room that is left; null when that is too little. */
  lastFor(load: Load, roomUnits: number, blockhash: string): WireTransaction | null {
    const units = Math.min(roomUnits, MAX_TRANSACTION_UNITS);
    return this.#transaction(load, { units, price: load.fromPrice, index: 0 }, blockhash);
  }

  /** @param units what it takes of the block at most */
  #transaction(
    { accounts }: Load,
    { units, price, index }: { units: number; price: number; index: number },
    blockhash: string,
  ): WireTransaction | null {
    // The limit differs: two equal transactions of a block would be one.
    const computeUnits = units - blockUnitsOf(0, 1, 1 + accounts.length) - index;
    const turns = Math.floor((computeUnits - FIXED_UNITS) / UNITS_PER_TURN);
    const [wallet, key] = [this.wallets[index % WALLETS], this.#privateKeys[index % WALLETS]];
    if (turns < 0 || wallet === undefined || key === undefined) return null;
    const limit = Buffer.from([2, 0, 0, 0, 0]);
    limit.writeUInt32LE(computeUnits, 1);
    const priced = Buffer.alloc(9, 3);
    priced.writeBigUInt64LE(BigInt(price), 1);
    const data = Buffer.alloc(8);
    data.writeBigUInt64LE(BigInt(turns));
    const keys = [wallet, ...accounts, COMPUTE_BUDGET, this.program];
    const [budget, program] = [keys.length - 2, keys.length - 1];
    const message = Buffer.concat([
      Uint8Array.of(1, 0, 2, keys.length),
      ...keys.map((address) => bs58.decode(address)),
      bs58.decode(blockhash),
      Uint8Array.of(3, budget, 0, limit.length),
      limit,
      Uint8Array.of(budget, 0, priced.length),
      priced,
      Uint8Array.of(program, 0, data.length),
      data,
    ]);
    return parseTransaction(Buffer.concat([Uint8Array.of(1), sign(null, message, key), message]));
  }
}

/** A program that counts down from the number in its instruction data; it takes no accounts. */
export function countdownProgram(): Uint8Array {
  const code = new Assembler();
  const [again, done] = [code.label(), code.label()];
  // Input: number of accounts, length of the data, data.
  code.load(6, 1, 16);
  code.jumpIfEqual(6, 0, done);
  code.place(again);
  // The cheapest call for the machine that runs this; it costs a transaction 100 units.
  code.syscall('sol_get_stack_height');
  code.addImmediate(6, -1);
  code.jumpIfNotEqual(6, 0, again);
  code.place(done);
  code.set(0, 0n);
  code.exit();
  const { text, syscalls } = code.finish();
  return elfImage(text, Buffer.alloc(0), syscalls);
}
