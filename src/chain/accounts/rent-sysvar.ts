import type { ChainAccount } from './account-data.ts';

export const RENT_SYSVAR = 'SysvarRent111111111111111111111111111111111';
const ACCOUNT_BYTES = 17;
const THRESHOLD_OFFSET = 8;
/** What every account takes beside its data. */
const OVERHEAD_BYTES = 128n;

/** Lamports that an account of so many bytes has to hold. */
export type RentOf = (bytes: number) => bigint;

/** The rent of the cluster; null when the account is not the sysvar. */
export function readRent(account: ChainAccount | null): RentOf | null {
  if (account === null || account.data.byteLength !== ACCOUNT_BYTES) return null;
  const data = Buffer.from(account.data);
  const perByteYear = data.readBigUInt64LE(0);
  const years = data.readDoubleLE(THRESHOLD_OFFSET);
  // A whole number on every cluster; anything else says nothing that could be relied on.
  if (!Number.isInteger(years) || years < 0 || years > 100) return null;
  return (bytes) => (OVERHEAD_BYTES + BigInt(bytes)) * perByteYear * BigInt(years);
}
