import { ASSOCIATED_TOKEN, SYSTEM_PROGRAM, tokenProgramNames } from '../../../src/chain/accounts/programs.ts';
import { openedAccountBytes } from '../../../src/chain/accounts/token-account.ts';
import { encodeBase58 } from '../../../src/shared/base58.ts';
import type { StoredAccount } from '../vm.ts';
import type { Invoked } from './effects.ts';
import { applyTokenInstruction, newTokenAccount } from './token-effects.ts';

const SYSTEM_CREATE = 0;
const SYSTEM_ASSIGN = 1;
const SYSTEM_TRANSFER = 2;
const SYSTEM_CREATE_WITH_SEED = 3;
const SYSTEM_ALLOCATE = 8;
const CREATE_IDEMPOTENT = 1;

/**
 * What accounts will hold once the instructions and effects so far are carried out. It knows the writes of computed
 * programs, and what the system program, the token programs and the associated-token program do: a model has to see a
 * token account that the transaction has just opened. It does not know what another program calls.
 */
export class AccountOverlay {
  readonly #changed = new Map<string, StoredAccount>();
  /** Reading an account of the machine takes some 0.05 ms, and a call asks for the same few again and again. */
  readonly #read = new Map<string, StoredAccount | null>();
  readonly #underneath: (address: string) => StoredAccount | null;
  readonly rentExemptLamports: (dataBytes: number) => bigint;

  constructor(
    underneath: (address: string) => StoredAccount | null,
    rentExemptLamports: (dataBytes: number) => bigint,
  ) {
    this.#underneath = underneath;
    this.rentExemptLamports = rentExemptLamports;
  }

  get(address: string): StoredAccount | null {
    // An instruction with too few accounts has none here. The virtual machine refuses it.
    if (address === '') return null;
    const changed = this.#changed.get(address) ?? this.#read.get(address);
    if (changed !== undefined) return changed;
    const account = this.#underneath(address);
    this.#read.set(address, account);
    return account;
  }

  write(address: string, offset: number, bytes: Uint8Array): void {
    const account = this.get(address);
    if (account === null || account.data.length < offset + bytes.length)
      throw new RangeError(`${address} has no ${bytes.length} bytes at ${offset} to write`);
    const data = Uint8Array.from(account.data);
    data.set(bytes, offset);
    this.#changed.set(address, { ...account, data });
  }

  /** Takes in what an instruction does to owner, length and lamports of accounts, and to token accounts. */
  invoke(instruction: Invoked): void {
    const { program, data } = instruction;
    if (program === SYSTEM_PROGRAM && data.length >= 4) this.#applySystem(instruction);
    else if (program === ASSOCIATED_TOKEN) this.#applyAssociated(instruction);
    else if (tokenProgramNames.has(program)) applyTokenInstruction(this, instruction);
  }

  set(address: string, account: StoredAccount): void {
    this.#changed.set(address, account);
  }

  #applySystem({ accounts, data }: Invoked): void {
    const view = Buffer.from(data);
    const [first, second] = accounts;
    switch (view.readUInt32LE(0)) {
      case SYSTEM_CREATE:
        this.#create(first?.address, second?.address, view.subarray(4));
        break;
      case SYSTEM_CREATE_WITH_SEED:
        // Base, 64 bits with the length of the seed, then the seed.
        this.#create(first?.address, second?.address, view.subarray(4 + 32 + 8 + view.readUInt32LE(36)));
        break;
      case SYSTEM_TRANSFER:
        this.#move(first?.address, second?.address, view.readBigUInt64LE(4));
        break;
      case SYSTEM_ALLOCATE:
        this.#place(first?.address, { data: new Uint8Array(Number(view.readBigUInt64LE(4))) });
        break;
      case SYSTEM_ASSIGN:
        this.#place(first?.address, { owner: encodeBase58(view.subarray(4, 36)) });
        break;
    }
  }

  /** @param rest lamports, bytes and owner of the new account */
  #create(payer: string | undefined, address: string | undefined, rest: Buffer): void {
    this.#move(payer, address, rest.readBigUInt64LE(0));
    const data = new Uint8Array(Number(rest.readBigUInt64LE(8)));
    this.#place(address, { data, owner: encodeBase58(rest.subarray(16, 48)) });
  }

  #applyAssociated({ accounts, data }: Invoked): void {
    const [payer, account, wallet, mint, , tokenProgram] = accounts.map(({ address }) => address);
    if (account === undefined || wallet === undefined || mint === undefined || tokenProgram === undefined)
      return;
    if ((data[0] ?? 0) > CREATE_IDEMPOTENT || (this.get(account)?.data.length ?? 0) > 0) return;
    const bytes = openedAccountBytes(tokenProgram);
    const rent = this.rentExemptLamports(bytes);
    const missing = rent - (this.get(account)?.lamports ?? 0n);
    if (missing > 0n) this.#move(payer, account, missing);
    const lamports = this.get(account)?.lamports ?? 0n;
    this.#place(account, { owner: tokenProgram, data: newTokenAccount(mint, wallet, bytes, lamports, rent) });
  }

  #move(from: string | undefined, to: string | undefined, lamports: bigint): void {
    const held = from === undefined ? undefined : this.get(from)?.lamports;
    // The virtual machine refuses to spend lamports that are not there; no instruction follows.
    if (held !== undefined && held >= lamports) this.#place(from, { lamports: held - lamports });
    if (to !== undefined) this.#place(to, { lamports: (this.get(to)?.lamports ?? 0n) + lamports });
  }

  #place(address: string | undefined, change: Partial<StoredAccount>): void {
    if (address === undefined) return;
    this.#changed.set(address, { ...(this.get(address) ?? EMPTY), ...change });
  }
}

const EMPTY: StoredAccount = {
  lamports: 0n,
  owner: SYSTEM_PROGRAM,
  data: new Uint8Array(0),
  executable: false,
  rentEpoch: 0n,
};
