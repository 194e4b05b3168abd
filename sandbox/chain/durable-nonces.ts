import bs58 from 'bs58';
import { SYSTEM_PROGRAM } from '../../src/chain/accounts/programs.ts';
import { encodeBase58 } from '../../src/shared/base58.ts';
import { LAMPORTS_PER_SIGNATURE } from './fees.ts';
import type { StoredAccount } from './vm.ts';
import { isWritable, type WireMessage } from './wire-message.ts';

/** Layout of a nonce account: version u32, state u32, authority 32, nonce 32, lamports per signature u64. */
const NONCE_ACCOUNT_BYTES = 80;
const STATE_OFFSET = 4;
const AUTHORITY_OFFSET = 8;
const NONCE_OFFSET = 40;
const FEE_OFFSET = 72;
/** Version 0 holds the hash of a block itself, and no longer works as a durable nonce. */
const CURRENT_VERSION = 1;
const INITIALIZED = 1;
/** `AdvanceNonceAccount`, little-endian. Bytes after it are ignored. */
const ADVANCE_NONCE = [4, 0, 0, 0] as const;
const NONCE_PREFIX = 'DURABLE_NONCE';

/** An initialised nonce account. */
interface NonceState {
  readonly version: number;
  readonly authority: string;
  readonly nonce: string;
  readonly lamportsPerSignature: bigint;
}

/** Null unless the account is an initialised nonce account, of either version. */
export function readNonceState({ owner, data }: StoredAccount): NonceState | null {
  if (owner !== SYSTEM_PROGRAM || data.length !== NONCE_ACCOUNT_BYTES) return null;
  const fields = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const version = fields.readUInt32LE(0);
  if (version > CURRENT_VERSION || fields.readUInt32LE(STATE_OFFSET) !== INITIALIZED) return null;
  return {
    version,
    authority: encodeBase58(fields.subarray(AUTHORITY_OFFSET, NONCE_OFFSET)),
    nonce: encodeBase58(fields.subarray(NONCE_OFFSET, FEE_OFFSET)),
    lamportsPerSignature: fields.readBigUInt64LE(FEE_OFFSET),
  };
}

/** The nonce that an account gets when it is initialised or advanced while a blockhash is the newest. */
export function nonceOfBlockhash(blockhash: string): string {
  return encodeBase58(nonceBytes(blockhash));
}

function nonceBytes(blockhash: string): Uint8Array {
  return new Bun.CryptoHasher('sha256').update(NONCE_PREFIX).update(bs58.decode(blockhash)).digest();
}

/** The account after its nonce was advanced. */
export function advancedAccount(account: StoredAccount, blockhash: string): StoredAccount {
  const data = Buffer.from(account.data);
  data.set(nonceBytes(blockhash), NONCE_OFFSET);
  data.writeBigUInt64LE(LAMPORTS_PER_SIGNATURE, FEE_OFFSET);
  return { ...account, data };
}

/** The account that the first instruction of a message advances as a nonce; null when it does not. */
export function nonceAddressOf(message: WireMessage): string | null {
  const [first] = message.instructions;
  if (first === undefined || message.staticKeys[first.programIdIndex] !== SYSTEM_PROGRAM) return null;
  if (!ADVANCE_NONCE.every((byte, at) => first.data[at] === byte)) return null;
  const [index] = first.accounts;
  if (index === undefined || !isWritable(message, index, 0)) return null;
  return message.staticKeys[index] ?? null;
}

/**
 * The nonce account that gives a transaction its lifetime: its first instruction advances it, writes it, names it
 * without a lookup table, and has the signature of its authority; and it holds what the transaction carries in the
 * place of a blockhash. Null when there is none.
 */
export function durableNonceOf(
  message: WireMessage,
  getAccount: (address: string) => StoredAccount | null,
): { address: string; state: NonceState } | null {
  const [first] = message.instructions;
  const address = nonceAddressOf(message);
  if (first === undefined || address === null) return null;
  const account = getAccount(address);
  const state = account === null ? null : readNonceState(account);
  if (state === null || state.version !== CURRENT_VERSION || state.nonce !== message.blockhash) return null;
  const signers = message.staticKeys.slice(0, message.header.numRequiredSignatures);
  const isAuthorized = [...first.accounts].some((account) => signers[account] === state.authority);
  return isAuthorized ? { address, state } : null;
}
