import bs58 from 'bs58';
import { ByteReader } from './byte-reader.ts';
import type { StoredAccount } from './vm.ts';

export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
/** Parsed-account program names by token program. */
export const TOKEN_PROGRAM_NAMES: Readonly<Record<string, string>> = {
  [TOKEN_PROGRAM]: 'spl-token',
  [TOKEN_2022_PROGRAM]: 'spl-token-2022',
};

export interface TokenAccount {
  readonly mint: string;
  readonly owner: string;
  readonly amount: bigint;
  readonly delegate: string | null;
  readonly state: 'initialized' | 'frozen';
  /** Rent-exempt reserve of a wrapped-SOL account in lamports, else null. */
  readonly nativeReserveLamports: bigint | null;
  readonly delegatedAmount: bigint;
  readonly closeAuthority: string | null;
}

export interface Mint {
  readonly mintAuthority: string | null;
  readonly supply: bigint;
  readonly decimals: number;
  readonly freezeAuthority: string | null;
}

const ACCOUNT_BYTES = 165;
const MINT_BYTES = 82;
// Token-2022 puts the kind of account behind the classic 165 bytes; extensions follow it.
const KIND_OFFSET = 165;
const KIND_MINT = 1;
const KIND_ACCOUNT = 2;

/** Decodes an initialised token account of either token program; null when it is anything else. */
export function decodeTokenAccount(account: StoredAccount): TokenAccount | null {
  if (!isTokenProgram(account.owner) || !hasShape(account, ACCOUNT_BYTES, KIND_ACCOUNT)) return null;
  const reader = new ByteReader(account.data);
  const mint = bs58.encode(reader.take(32));
  const owner = bs58.encode(reader.take(32));
  const amount = reader.u64();
  const delegate = readOptionalKey(reader);
  const state = reader.u8();
  const isNative = reader.u32() === 1;
  const reserve = reader.u64();
  const delegatedAmount = reader.u64();
  const closeAuthority = readOptionalKey(reader);
  if (state === 0) return null;
  return {
    mint,
    owner,
    amount,
    delegate,
    state: state === 2 ? 'frozen' : 'initialized',
    nativeReserveLamports: isNative ? reserve : null,
    delegatedAmount,
    closeAuthority,
  };
}

/** Decodes an initialised mint of either token program; null when it is anything else. */
export function decodeMint(account: StoredAccount): Mint | null {
  if (!isTokenProgram(account.owner) || !hasShape(account, MINT_BYTES, KIND_MINT)) return null;
  const reader = new ByteReader(account.data);
  const mintAuthority = readOptionalKey(reader);
  const supply = reader.u64();
  const decimals = reader.u8();
  if (reader.u8() !== 1) return null;
  return { mintAuthority, supply, decimals, freezeAuthority: readOptionalKey(reader) };
}

export function isTokenProgram(address: string): boolean {
  return address === TOKEN_PROGRAM || address === TOKEN_2022_PROGRAM;
}

function hasShape(account: StoredAccount, classicBytes: number, kind: number): boolean {
  const { length } = account.data;
  if (length === classicBytes) return true;
  return account.owner === TOKEN_2022_PROGRAM && length > KIND_OFFSET && account.data[KIND_OFFSET] === kind;
}

function readOptionalKey(reader: ByteReader): string | null {
  const present = reader.u32() === 1;
  const key = reader.take(32);
  return present ? bs58.encode(key) : null;
}

export interface UiTokenAmount {
  readonly amount: string;
  readonly decimals: number;
  readonly uiAmount: number | null;
  readonly uiAmountString: string;
}

/** An amount as RPC shows it: exact string, and a float that only displays may use. */
export function uiTokenAmount(amount: bigint, decimals: number): UiTokenAmount {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const uiAmountString = fraction === '' ? whole : `${whole}.${fraction}`;
  return { amount: amount.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString };
}
