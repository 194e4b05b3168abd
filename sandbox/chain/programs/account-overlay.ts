import bs58 from 'bs58';
import type { StoredAccount } from '../vm.ts';
import type { Invoked } from './effects.ts';

const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const SYSTEM_CREATE = 0;
const SYSTEM_ASSIGN = 1;
const SYSTEM_ALLOCATE = 8;

/**
 * What accounts will hold once the effects computed so far are carried out: writes of computed programs, and accounts
 * that they create. Balances and token accounts stay as they were: the virtual machine changes those.
 */
export class AccountOverlay {
  private readonly changed = new Map<string, StoredAccount>();
  private readonly underneath: (address: string) => StoredAccount | null;

  constructor(underneath: (address: string) => StoredAccount | null) {
    this.underneath = underneath;
  }

  get(address: string): StoredAccount | null {
    return this.changed.get(address) ?? this.underneath(address);
  }

  /** Accounts that differ from what is underneath. */
  get changedAddresses(): readonly string[] {
    return [...this.changed.keys()];
  }

  write(address: string, offset: number, bytes: Uint8Array): void {
    const account = this.get(address);
    if (account === null || account.data.length < offset + bytes.length)
      throw new RangeError(`${address} has no ${bytes.length} bytes at ${offset} to write`);
    const data = Uint8Array.from(account.data);
    data.set(bytes, offset);
    this.changed.set(address, { ...account, data });
  }

  /** Takes in what the system program does to owner and length of an account. */
  invoke({ program, accounts, data }: Invoked): void {
    if (program !== SYSTEM_PROGRAM) return;
    const view = Buffer.from(data);
    const kind = view.readUInt32LE(0);
    if (kind === SYSTEM_CREATE) {
      this.place(accounts[1]?.address, Number(view.readBigUInt64LE(12)), view.subarray(20, 52));
    } else if (kind === SYSTEM_ALLOCATE) {
      this.place(accounts[0]?.address, Number(view.readBigUInt64LE(4)), undefined);
    } else if (kind === SYSTEM_ASSIGN) {
      this.place(accounts[0]?.address, undefined, view.subarray(4, 36));
    }
  }

  private place(address: string | undefined, bytes: number | undefined, owner: Uint8Array | undefined): void {
    if (address === undefined) return;
    const before = this.get(address) ?? EMPTY;
    this.changed.set(address, {
      ...before,
      ...(bytes === undefined ? {} : { data: new Uint8Array(bytes) }),
      ...(owner === undefined ? {} : { owner: bs58.encode(owner) }),
    });
  }
}

const EMPTY: StoredAccount = {
  lamports: 0n,
  owner: SYSTEM_PROGRAM,
  data: new Uint8Array(0),
  executable: false,
  rentEpoch: 0n,
};
