import type { ChainAccount } from './account-data.ts';
import { fieldsOf } from './account-data.ts';
import { SYSTEM_PROGRAM } from './programs.ts';

/** Layout of the system program: version u32, state u32, authority 32, nonce 32, fee u64. */
export const NONCE_ACCOUNT_BYTES = 80;
/** An account of version 0 gives no transaction its lifetime until it is upgraded. */
const CURRENT_VERSION = 1;
const STATE_OFFSET = 4;
const INITIALIZED = 1;
const AUTHORITY_OFFSET = 8;
const NONCE_OFFSET = 40;

export interface NonceAccount {
  /** base58 */
  nonce: string;
  /** The address that may advance the nonce. */
  authority: string;
}

/** The durable nonce in an account. Null when the account holds none. */
export function readNonce(account: ChainAccount | null): string | null {
  return readNonceAccount(account)?.nonce ?? null;
}

/** Null unless the account is an initialised nonce account of the current version. */
export function readNonceAccount(account: ChainAccount | null): NonceAccount | null {
  if (account === null || account.owner !== SYSTEM_PROGRAM || account.data.byteLength !== NONCE_ACCOUNT_BYTES)
    return null;
  const fields = fieldsOf(account.data);
  if (fields.u32(0) !== CURRENT_VERSION || fields.u32(STATE_OFFSET) !== INITIALIZED) return null;
  return { nonce: fields.address(NONCE_OFFSET), authority: fields.address(AUTHORITY_OFFSET) };
}
