import { INSTRUCTIONS_SYSVAR } from '../../src/chain/accounts/programs.ts';
import { encodeBase58 } from '../../src/shared/base58.ts';
import type { StoredAccount } from './vm.ts';

const UPGRADEABLE_LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111';
const ACCOUNT_BASE_BYTES = 64;
const LOOKUP_TABLE_BYTES = 8_248;
// A program account of the upgradeable loader: its kind in four bytes, then the address of its data.
const PROGRAM_KIND = 2;
const PROGRAM_BYTES = 36;

/**
 * Bytes of all accounts that a transaction loads, as nodes count them: the data of each account and 64 bytes, each
 * lookup table at its greatest size, and the program data of each upgradeable program once.
 */
export function loadedDataBytes(
  keys: readonly string[],
  lookupTableCount: number,
  getAccount: (address: string) => StoredAccount | null,
): number {
  const counted = new Set(keys);
  let bytes = lookupTableCount * LOOKUP_TABLE_BYTES;
  const count = (account: StoredAccount | null) => {
    if (account !== null) bytes += ACCOUNT_BASE_BYTES + account.data.length;
  };
  for (const key of keys) {
    if (key === INSTRUCTIONS_SYSVAR) continue;
    const account = getAccount(key);
    count(account);
    const programData = account === null ? null : programDataOf(account);
    if (programData === null || counted.has(programData)) continue;
    counted.add(programData);
    count(getAccount(programData));
  }
  return bytes;
}

function programDataOf({ owner, data }: StoredAccount): string | null {
  if (owner !== UPGRADEABLE_LOADER || data.length < PROGRAM_BYTES || data[0] !== PROGRAM_KIND) return null;
  return encodeBase58(data.subarray(4, PROGRAM_BYTES));
}
