import { ADDRESS_LOOKUP_TABLE } from '../../src/chain/accounts/programs.ts';
import { encodeBase58 } from '../../src/shared/base58.ts';
import type { StoredAccount } from './vm.ts';
import type { WireMessage } from './wire-message.ts';

const TABLE_HEADER_BYTES = 56;
const DEACTIVATION_SLOT_OFFSET = 4;
const NEVER = 2n ** 64n - 1n;

export interface LoadedAddresses {
  readonly writable: readonly string[];
  readonly readonly: readonly string[];
}

/** Resolves a v0 message's table lookups. Returns null when a table or an index does not exist. */
export function resolveLookups(
  message: WireMessage,
  getAccount: (address: string) => StoredAccount | null,
): LoadedAddresses | null {
  const writable: string[] = [];
  const readonly: string[] = [];
  for (const lookup of message.lookups) {
    const table = getAccount(lookup.accountKey);
    if (table === null || table.owner !== ADDRESS_LOOKUP_TABLE) return null;
    if (!pushAll(table.data, lookup.writableIndexes, writable)) return null;
    if (!pushAll(table.data, lookup.readonlyIndexes, readonly)) return null;
  }
  return { writable, readonly };
}

/** Whether an account is a lookup table that was deactivated, at any time. */
export function isDeactivatedTable(table: StoredAccount | null): boolean {
  if (table === null || table.owner !== ADDRESS_LOOKUP_TABLE || table.data.length < TABLE_HEADER_BYTES)
    return false;
  const fields = Buffer.from(table.data.buffer, table.data.byteOffset, table.data.byteLength);
  return fields.readBigUInt64LE(DEACTIVATION_SLOT_OFFSET) !== NEVER;
}

function pushAll(table: Uint8Array, indexes: Uint8Array, into: string[]): boolean {
  for (const index of indexes) {
    const start = TABLE_HEADER_BYTES + index * 32;
    if (table.length < start + 32) return false;
    into.push(encodeBase58(table.subarray(start, start + 32)));
  }
  return true;
}
