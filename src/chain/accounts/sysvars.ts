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
/** Bytes that rent counts for every account on top of its data (reference/solana#rent). */
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

export const EPOCH_SCHEDULE_SYSVAR = 'SysvarEpochSchedu1e111111111111111111111111';
const EPOCH_SCHEDULE_BYTES = 33;
const FIRST_NORMAL_SLOT_OFFSET = 25;
/** A young chain may begin with short epochs: the first has this many slots, each further one twice as many. */
const FIRST_EPOCH_SLOTS = 32n;

/** The first slot of the epoch after that of `slot`. Null when the account is not the schedule. */
export function readNextEpochSlot(account: ChainAccount | null, slot: bigint): bigint | null {
  if (account === null || account.data.byteLength !== EPOCH_SCHEDULE_BYTES) return null;
  const fields = fieldsOf(account.data);
  const [slotsPerEpoch, firstNormalSlot] = [fields.u64(0), fields.u64(FIRST_NORMAL_SLOT_OFFSET)];
  if (slotsPerEpoch === 0n) return null;
  let length = FIRST_EPOCH_SLOTS;
  let next = FIRST_EPOCH_SLOTS;
  if (slot >= firstNormalSlot) return slot + slotsPerEpoch - ((slot - firstNormalSlot) % slotsPerEpoch);
  while (next <= slot) {
    length *= 2n;
    next += length;
  }
  return next;
}
