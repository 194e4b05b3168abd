import type { StoredAccount } from './vm.ts';

const SLOT = 0;
const UNIX_TIMESTAMP = 32;

/** The clock account at a slot. The virtual machine only has the newest one. */
export function clockAccountAt(
  newest: StoredAccount | null,
  slot: bigint,
  unixMs: number,
): StoredAccount | null {
  if (newest === null) return null;
  const data = Buffer.from(newest.data);
  data.writeBigUInt64LE(slot, SLOT);
  data.writeBigInt64LE(BigInt(Math.floor(unixMs / 1_000)), UNIX_TIMESTAMP);
  return { ...newest, data };
}
