import type { ChainAccount } from './account-data.ts';
import { fieldsOf } from './account-data.ts';

const ACCOUNT_BYTES = 40;
const UNIX_SECONDS_OFFSET = 32;

/** The end of the year 9999. */
export const UNIX_SECONDS_MAX = 253_402_300_799n;

/** The chain's own time in a slot; null when the account is not the clock, or its time is none. */
export function readChainTime(account: ChainAccount | null): Date | null {
  const seconds = readChainSeconds(account);
  if (seconds === null || seconds <= 0n || seconds > UNIX_SECONDS_MAX) return null;
  return new Date(Number(seconds) * 1_000);
}

/** The chain's own time in a slot, in whole Unix seconds; null when the account is not the clock. */
export function readChainSeconds(account: ChainAccount | null): bigint | null {
  if (account === null || account.data.byteLength !== ACCOUNT_BYTES) return null;
  return BigInt.asIntN(64, fieldsOf(account.data).u64(UNIX_SECONDS_OFFSET));
}
