import bs58 from 'bs58';
import { accountJson } from '../account-json.ts';
import { type RpcContext, type RpcMethods, withContext } from '../rpc-context.ts';
import { invalidParams } from '../rpc-errors.ts';
import { addressOf, configAt, contextSlotOf, integerOf, type RpcConfig } from '../rpc-params.ts';
import { decodeTokenAccount } from '../token-accounts.ts';
import type { StoredAccount } from '../vm.ts';

const MAX_ACCOUNTS = 100;
const MAX_FILTERS = 4;
const MAX_MEMCMP_BYTES = 128;
/** Longer texts are not decoded: 128 bytes never have more characters. */
const MAX_MEMCMP_TEXT = { base58: 175, base64: 172 } as const;

/** Accounts as they were at the requested commitment. */
export const accountMethods: RpcMethods = {
  getBalance: (context, params) => {
    const address = addressOf(params[0]);
    const slot = contextSlotOf(context, configAt(params, 1));
    return withContext(slot, context.ledger.accountAt(address, slot)?.lamports ?? 0n);
  },
  getAccountInfo: (context, params) => {
    const address = addressOf(params[0]);
    const config = configAt(params, 1);
    const slot = contextSlotOf(context, config);
    return withContext(slot, encodedAccount(context, address, slot, config));
  },
  getMultipleAccounts: (context, params) => {
    const addresses = params[0];
    if (!Array.isArray(addresses)) throw invalidParams('Invalid params: expected an array of addresses.');
    if (addresses.length > MAX_ACCOUNTS) throw invalidParams(`Too many inputs provided; max ${MAX_ACCOUNTS}`);
    const config = { encoding: 'base64', ...configAt(params, 1) };
    const slot = contextSlotOf(context, config);
    const value = addresses.map(addressOf).map((address) => encodedAccount(context, address, slot, config));
    return withContext(slot, value);
  },
  getProgramAccounts: (context, params) => {
    const program = addressOf(params[0]);
    const config = configAt(params, 1);
    const slot = contextSlotOf(context, config);
    const matches = filtersOf(config.filters);
    const accountAt = accountsAt(context, slot);
    const found = context.ledger
      .programAccountsAt(program, slot)
      .filter(({ account }) => matches.every((match) => match(account)))
      .map(({ address, account }) => ({
        pubkey: address,
        account: accountJson(account, config, accountAt),
      }));
    return config.withContext === true ? withContext(slot, found) : found;
  },
  getMinimumBalanceForRentExemption: (context, params) =>
    context.ledger.vm.rentExemptLamports(integerOf(params[0], 'data length')),
};

function encodedAccount(context: RpcContext, address: string, slot: bigint, config: RpcConfig): unknown {
  const accountAt = accountsAt(context, slot);
  const account = accountAt(address);
  return account === null ? null : accountJson(account, config, accountAt);
}

/** Accounts as they were at a slot. */
export function accountsAt({ ledger }: RpcContext, slot: bigint): (address: string) => StoredAccount | null {
  return (address) => ledger.accountAt(address, slot);
}

/** The words of Agave. */
const MEMCMP_TOO_LARGE = 'Invalid param: DataTooLarge';

type AccountFilter = (account: StoredAccount) => boolean;

/** The filters of getProgramAccounts and program subscriptions. */
export function filtersOf(filters: unknown): AccountFilter[] {
  if (filters === undefined || filters === null) return [];
  if (!Array.isArray(filters)) throw invalidParams('Invalid params: filters must be an array.');
  if (filters.length > MAX_FILTERS) throw invalidParams(`Too many filters provided; max ${MAX_FILTERS}`);
  return filters.map(filterOf);
}

function filterOf(filter: unknown): AccountFilter {
  if (typeof filter === 'object' && filter !== null) {
    if ('dataSize' in filter) {
      const size = integerOf(filter.dataSize, 'dataSize');
      return ({ data }) => data.length === size;
    }
    if ('memcmp' in filter) {
      const memcmp = configAt([filter.memcmp], 0);
      const offset = integerOf(memcmp.offset, 'memcmp.offset');
      const wanted = memcmpBytes(memcmp);
      return ({ data }) => wanted.every((byte, index) => data[offset + index] === byte);
    }
  }
  if (filter === 'tokenAccountState' || isTokenStateFilter(filter))
    return (account) => decodeTokenAccount(account) !== null;
  throw invalidParams('Invalid params: a filter is dataSize, memcmp or tokenAccountState.');
}

function isTokenStateFilter(filter: unknown): boolean {
  return typeof filter === 'object' && filter !== null && 'tokenAccountState' in filter;
}

function memcmpBytes(memcmp: RpcConfig): Uint8Array {
  const decoded = decodeMemcmp(memcmp);
  if (decoded.length > MAX_MEMCMP_BYTES) throw invalidParams(MEMCMP_TOO_LARGE);
  return decoded;
}

function decodeMemcmp({ bytes, encoding }: RpcConfig): Uint8Array {
  if (Array.isArray(bytes)) return Uint8Array.from(bytes.map(byteOf));
  if (typeof bytes !== 'string')
    throw invalidParams('Invalid params: memcmp.bytes must be a string or an array of bytes.');
  const isBase64 = encoding === 'base64';
  if (bytes.length > MAX_MEMCMP_TEXT[isBase64 ? 'base64' : 'base58']) throw invalidParams(MEMCMP_TOO_LARGE);
  if (isBase64) return Buffer.from(bytes, 'base64');
  const decoded = bs58.decodeUnsafe(bytes);
  if (decoded === undefined) throw invalidParams('Invalid params: memcmp.bytes is not base58.');
  return decoded;
}

function byteOf(value: unknown): number {
  const byte = integerOf(value, 'a byte of memcmp.bytes');
  if (byte > 255) throw invalidParams('Invalid params: memcmp.bytes holds bytes.');
  return byte;
}
