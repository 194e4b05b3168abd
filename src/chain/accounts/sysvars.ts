import { type ChainAccount, fieldsOf } from './account-data.ts';

const CLOCK_BYTES = 40;
const UNIX_SECONDS_OFFSET = 32;

/** The end of the year 9999. */
export const UNIX_SECONDS_MAX = 253_402_300_799n;

/** The chain's own time in a slot. Null when the account is not the clock, or its time is out of range. */
export function readChainTime(account: ChainAccount | null): Date | null {
  const seconds = readChainSeconds(account);
  if (seconds === null || seconds <= 0n || seconds > UNIX_SECONDS_MAX) return null;
  return new Date(Number(seconds) * 1_000);
}

/** The chain's own time in a slot, in whole Unix seconds. Null when the account is not the clock. */
export function readChainSeconds(account: ChainAccount | null): bigint | null {
  if (account === null || account.data.byteLength !== CLOCK_BYTES) return null;
  return BigInt.asIntN(64, fieldsOf(account.data).u64(UNIX_SECONDS_OFFSET));
}

export const RECENT_BLOCKHASHES_SYSVAR = 'SysvarRecentB1ockHashes11111111111111111111';
export const RENT_SYSVAR = 'SysvarRent111111111111111111111111111111111';
const RENT_BYTES = 17;
const THRESHOLD_OFFSET = 8;
/** Bytes that rent counts for every account on top of its data. */
const OVERHEAD_BYTES = 128n;

/** Lamports that an account with this many bytes of data must hold. */
export type RentOf = (bytes: number) => bigint;

/** The rent of the cluster. Null when the account is not the sysvar. */
export function readRent(account: ChainAccount | null): RentOf | null {
  if (account === null || account.data.byteLength !== RENT_BYTES) return null;
  const data = Buffer.from(account.data);
  const perByteYear = data.readBigUInt64LE(0);
  const years = data.readDoubleLE(THRESHOLD_OFFSET);
  // The number of years is whole on every cluster. Another value cannot be relied on.
  if (!Number.isInteger(years) || years < 0 || years > 100) return null;
  return (bytes) => (OVERHEAD_BYTES + BigInt(bytes)) * perByteYear * BigInt(years);
}
