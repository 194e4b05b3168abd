import { SPL_TOKEN, TOKEN_2022 } from '../../src/chain/accounts/programs.ts';
import { encodeBase58 } from '../../src/shared/base58.ts';
import { ByteReader } from './byte-reader.ts';
import type { StoredAccount } from './vm.ts';
import { ZERO_ADDRESS } from './zero-address.ts';

/** Parsed-account program names by token program. */
export const TOKEN_PROGRAM_NAMES: Readonly<Record<string, string>> = {
  [SPL_TOKEN]: 'spl-token',
  [TOKEN_2022]: 'spl-token-2022',
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

export interface Multisig {
  /** How many of the signers must sign. */
  readonly required: number;
  readonly valid: number;
  readonly signers: readonly string[];
}

const ACCOUNT_BYTES = 165;
const MINT_BYTES = 82;
export const MULTISIG_BYTES = 355;
const MULTISIG_SIGNERS = 11;
// Token-2022 puts the kind of account after the classic 165 bytes; extensions follow it.
const KIND_OFFSET = 165;
const KIND_MINT = 1;
const KIND_ACCOUNT = 2;

/** Decodes an initialised token account of either token program; null when it is anything else. */
export function decodeTokenAccount(account: StoredAccount): TokenAccount | null {
  if (!isTokenProgram(account.owner) || !hasShape(account, ACCOUNT_BYTES, KIND_ACCOUNT)) return null;
  const reader = new ByteReader(account.data);
  const mint = encodeBase58(reader.take(32));
  const owner = encodeBase58(reader.take(32));
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

/** Decodes an initialised multisig account of either token program; null when it is anything else. */
export function decodeMultisig({ owner, data }: StoredAccount): Multisig | null {
  if (!isTokenProgram(owner) || data.length !== MULTISIG_BYTES) return null;
  const reader = new ByteReader(data);
  const required = reader.u8();
  const valid = reader.u8();
  if (reader.u8() !== 1) return null;
  const signers = Array.from({ length: MULTISIG_SIGNERS }, () => encodeBase58(reader.take(32)));
  return { required, valid, signers: signers.filter((signer) => signer !== ZERO_ADDRESS) };
}

export function isTokenProgram(address: string): boolean {
  return address === SPL_TOKEN || address === TOKEN_2022;
}

function hasShape(account: StoredAccount, classicBytes: number, kind: number): boolean {
  const { length } = account.data;
  if (length === classicBytes) return true;
  // A multisig has a length of its own, and anything at the place of the kind.
  if (length === MULTISIG_BYTES) return false;
  return account.owner === TOKEN_2022 && length > KIND_OFFSET && account.data[KIND_OFFSET] === kind;
}

function readOptionalKey(reader: ByteReader): string | null {
  const present = reader.u32() === 1;
  const key = reader.take(32);
  return present ? encodeBase58(key) : null;
}

/** An amount as RPC shows it. `amount` is exact; `uiAmount` is a float for displays. */
export interface UiTokenAmount {
  readonly amount: string;
  readonly decimals: number;
  readonly uiAmount: number | null;
  readonly uiAmountString: string;
}

// With this many decimals a node cannot hold the power of ten, and shows no float.
const DECIMALS_WITHOUT_FLOAT = 20;

/** The amount with the decimals of its mint. */
export function uiTokenAmount(amount: bigint, decimals: number): UiTokenAmount {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return {
    amount: amount.toString(),
    decimals,
    uiAmount: decimals >= DECIMALS_WITHOUT_FLOAT ? null : Number(amount) / 10 ** decimals,
    uiAmountString: fraction === '' ? whole : `${whole}.${fraction}`,
  };
}
