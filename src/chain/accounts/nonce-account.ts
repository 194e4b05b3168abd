import type { ChainAccount } from './account-data.ts';
import { fieldsOf } from './account-data.ts';
import { SYSTEM_PROGRAM } from './programs.ts';

/** Layout of the system program: version u32, state u32, authority 32, nonce 32, fee u64. */
const ACCOUNT_BYTES = 80;
const STATE_OFFSET = 4;
const INITIALIZED = 1;
const NONCE_OFFSET = 40;

/** The durable nonce that the account holds, or null when it holds none. */
export function readNonce(account: ChainAccount | null): string | null {
  if (account === null || account.owner !== SYSTEM_PROGRAM || account.data.byteLength !== ACCOUNT_BYTES)
    return null;
  const fields = fieldsOf(account.data);
  return fields.u32(STATE_OFFSET) === INITIALIZED ? fields.address(NONCE_OFFSET) : null;
}
