import bs58 from 'bs58';
import { SYSTEM_PROGRAM, WRAPPED_SOL_MINT } from '../../../src/chain/accounts/programs.ts';
import { AMOUNT_OFFSET, TOKEN_ACCOUNT_BYTES } from '../../../src/chain/accounts/token-account.ts';
import { encodeBase58 } from '../../../src/shared/base58.ts';
import type { StoredAccount } from '../vm.ts';
import type { Invoked } from './effects.ts';

/** Instructions of the token programs, by their first byte. */
const instructions = {
  initializeAccount: 1,
  transfer: 3,
  setAuthority: 6,
  mintTo: 7,
  burn: 8,
  closeAccount: 9,
  transferChecked: 12,
  mintToChecked: 14,
  burnChecked: 15,
  initializeAccount2: 16,
  syncNative: 17,
  initializeAccount3: 18,
  initializeMint2: 20,
} as const;

const OWNER_OFFSET = 32;
const STATE_OFFSET = 108;
const NATIVE_OFFSET = 109;
const RESERVE_OFFSET = 113;
const MINT_BYTES = 82;
const DECIMALS_OFFSET = 44;
const MINT_INITIALISED_OFFSET = 45;
const AUTHORITY_ACCOUNT_OWNER = 2;

/** Reads accounts, and changes them. */
interface Accounts {
  get(address: string): StoredAccount | null;
  set(address: string, account: StoredAccount): void;
  rentExemptLamports(dataBytes: number): bigint;
}

/** Carries out an instruction of a token program on balances and owners. The virtual machine refuses the wrong ones. */
export function applyTokenInstruction(state: Accounts, { accounts, data }: Invoked): void {
  const at = (index: number) => accounts[index]?.address ?? '';
  const view = Buffer.from(data);
  const amount = () => (view.length >= 9 ? view.readBigUInt64LE(1) : 0n);
  switch (view[0]) {
    case instructions.initializeAccount:
      initializeAccount(state, at(0), at(1), at(2));
      break;
    case instructions.initializeAccount2:
    case instructions.initializeAccount3:
      initializeAccount(state, at(0), at(1), encodeBase58(view.subarray(1, 33)));
      break;
    case instructions.initializeMint2:
      initializeMint(state, at(0), view[1] ?? 0);
      break;
    case instructions.transfer:
      move(state, at(0), at(1), amount());
      break;
    case instructions.transferChecked:
      move(state, at(0), at(2), amount());
      break;
    case instructions.mintTo:
    case instructions.mintToChecked:
      move(state, null, at(1), amount());
      break;
    case instructions.burn:
    case instructions.burnChecked:
      move(state, at(0), null, amount());
      break;
    case instructions.syncNative:
      syncNative(state, at(0));
      break;
    case instructions.setAuthority:
      if (view[1] === AUTHORITY_ACCOUNT_OWNER && view[2] === 1)
        write(state, at(0), (bytes) => bytes.set(view.subarray(3, 35), OWNER_OFFSET));
      break;
    case instructions.closeAccount:
      close(state, at(0), at(1));
      break;
  }
}

/** A token account without tokens; a native one holds the lamports beyond its rent. */
export function newTokenAccount(
  mint: string,
  owner: string,
  dataBytes: number,
  lamports: bigint,
  rent: bigint,
): Uint8Array {
  const data = Buffer.alloc(dataBytes);
  data.set(bs58.decode(mint), 0);
  data.set(bs58.decode(owner), OWNER_OFFSET);
  data[STATE_OFFSET] = 1;
  if (mint === WRAPPED_SOL_MINT) {
    data[NATIVE_OFFSET] = 1;
    data.writeBigUInt64LE(rent, RESERVE_OFFSET);
    data.writeBigUInt64LE(lamports > rent ? lamports - rent : 0n, AMOUNT_OFFSET);
  }
  return Uint8Array.from(data);
}

function initializeAccount(state: Accounts, address: string, mint: string, owner: string): void {
  const account = state.get(address);
  if (account === null || account.data.length < TOKEN_ACCOUNT_BYTES) return;
  // Created with rent just before; lamports beyond that are the balance of a native account.
  const rent = state.rentExemptLamports(account.data.length);
  const data = newTokenAccount(mint, owner, account.data.length, account.lamports, rent);
  state.set(address, { ...account, data });
}

function initializeMint(state: Accounts, address: string, decimals: number): void {
  if ((state.get(address)?.data.length ?? 0) < MINT_BYTES) return;
  write(state, address, (bytes) => {
    bytes[DECIMALS_OFFSET] = decimals;
    bytes[MINT_INITIALISED_OFFSET] = 1;
  });
}

function move(state: Accounts, from: string | null, to: string | null, amount: bigint): void {
  if (from !== null) addTo(state, from, -amount);
  if (to !== null) addTo(state, to, amount);
}

function addTo(state: Accounts, address: string, amount: bigint): void {
  write(state, address, (bytes) => {
    const next = bytes.readBigUInt64LE(AMOUNT_OFFSET) + amount;
    // The virtual machine refuses to spend tokens that are not there; no instruction follows.
    if (next >= 0n) bytes.writeBigUInt64LE(next, AMOUNT_OFFSET);
    if (bytes[NATIVE_OFFSET] === 1) addLamports(state, address, amount);
  });
}

function addLamports(state: Accounts, address: string, lamports: bigint): void {
  const account = state.get(address);
  if (account !== null && account.lamports + lamports >= 0n)
    state.set(address, { ...account, lamports: account.lamports + lamports });
}

function syncNative(state: Accounts, address: string): void {
  const lamports = state.get(address)?.lamports ?? 0n;
  write(state, address, (bytes) => {
    const reserve = bytes.readBigUInt64LE(RESERVE_OFFSET);
    if (bytes[NATIVE_OFFSET] === 1 && lamports >= reserve)
      bytes.writeBigUInt64LE(lamports - reserve, AMOUNT_OFFSET);
  });
}

function close(state: Accounts, address: string, destination: string): void {
  const account = state.get(address);
  if (account === null) return;
  const receiver = state.get(destination);
  if (receiver !== null)
    state.set(destination, { ...receiver, lamports: receiver.lamports + account.lamports });
  state.set(address, {
    ...account,
    lamports: 0n,
    owner: SYSTEM_PROGRAM,
    data: new Uint8Array(0),
  });
}

/** Changes a copy of the data of a token account or mint. Shorter data stays as it is. */
function write(state: Accounts, address: string, change: (bytes: Buffer) => void): void {
  const account = state.get(address);
  if (account === null || account.data.length < MINT_BYTES) return;
  const bytes = Buffer.from(account.data);
  change(bytes);
  // `change` may have moved lamports of the account.
  state.set(address, { ...(state.get(address) ?? account), data: Uint8Array.from(bytes) });
}
