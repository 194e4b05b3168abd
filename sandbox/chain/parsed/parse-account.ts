import { LOOKUP_TABLE_PROGRAM } from '../address-lookup.ts';
import { TOKEN_PROGRAM_NAMES } from '../token-accounts.ts';
import type { StoredAccount } from '../vm.ts';
import { readOrNull } from './field-layouts.ts';
import { type ParsedAccount, parseLookupTable, parseNonce, parseUpgradeable } from './native-accounts.ts';
import { SYSVARS } from './sysvar-accounts.ts';
import { type AmountDisplays, parsedTokenData } from './token-account-data.ts';

/** Account data as `jsonParsed` shows it. */
export interface ParsedAccountJson {
  readonly program: string;
  readonly parsed: ParsedAccount;
  readonly space: number;
}

interface ParsableOwner {
  readonly name: string;
  readonly parse: (account: StoredAccount, address: string, displays: AmountDisplays) => ParsedAccount | null;
}

const OWNERS: ReadonlyMap<string, ParsableOwner> = new Map([
  ...Object.entries(TOKEN_PROGRAM_NAMES).map(([program, name]): [string, ParsableOwner] => [
    program,
    { name, parse: (account, _address, displays) => parsedTokenData(account, displays) },
  ]),
  ['11111111111111111111111111111111', { name: 'nonce', parse: ({ data }) => readOrNull(data, parseNonce) }],
  [
    LOOKUP_TABLE_PROGRAM,
    { name: 'address-lookup-table', parse: ({ data }) => readOrNull(data, parseLookupTable) },
  ],
  [
    'BPFLoaderUpgradeab1e11111111111111111111111',
    { name: 'bpf-upgradeable-loader', parse: ({ data }) => readOrNull(data, parseUpgradeable) },
  ],
  [
    'Sysvar1111111111111111111111111111111111111',
    { name: 'sysvar', parse: ({ data }, address) => parsedSysvar(data, address) },
  ],
]);

/** Null when the owner is not known to the parser, or the data is not what its owner keeps. */
export function parsedAccountData(
  account: StoredAccount,
  address: string,
  displays: AmountDisplays,
): ParsedAccountJson | null {
  const owner = OWNERS.get(account.owner);
  const parsed = owner?.parse(account, address, displays) ?? null;
  if (owner === undefined || parsed === null) return null;
  return { program: owner.name, parsed, space: account.data.length };
}

function parsedSysvar(data: Uint8Array, address: string): ParsedAccount | null {
  const sysvar = SYSVARS.get(address);
  const info = sysvar === undefined ? null : readOrNull(data, sysvar.read);
  return sysvar === undefined || info === null ? null : { type: sysvar.type, info };
}
