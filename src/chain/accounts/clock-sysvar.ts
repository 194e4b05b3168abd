import type { ChainAccount } from './account-data.ts';
import { fieldsOf } from './account-data.ts';

const ACCOUNT_BYTES = 40;
const UNIX_SECONDS_OFFSET = 32;

/** The chain's own time in a slot, in whole Unix seconds; null when the account is not the clock. */
export function readChainSeconds(account: ChainAccount | null): bigint | null {
  if (account === null || account.data.byteLength !== ACCOUNT_BYTES) return null;
  return BigInt.asIntN(64, fieldsOf(account.data).u64(UNIX_SECONDS_OFFSET));
}
