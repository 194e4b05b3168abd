import { fieldsOf } from './account-data.ts';
import { TOKEN_ACCOUNT_BYTES } from './token-account.ts';

/**
 * Extensions that a Token-2022 mint can carry, by their number in the program (`ExtensionType`). Extensions
 * of token accounts are left out, because a mint never has them.
 */
const names: ReadonlyMap<number, string> = new Map([
  [1, 'transfer_fee_config'],
  [3, 'mint_close_authority'],
  [4, 'confidential_transfer_mint'],
  [6, 'default_account_state'],
  [9, 'non_transferable'],
  [10, 'interest_bearing_config'],
  [12, 'permanent_delegate'],
  [14, 'transfer_hook'],
  [16, 'confidential_transfer_fee_config'],
  [18, 'metadata_pointer'],
  [19, 'token_metadata'],
  [20, 'group_pointer'],
  [21, 'token_group'],
  [22, 'group_member_pointer'],
  [23, 'token_group_member'],
  [24, 'confidential_mint_burn'],
  [25, 'scaled_ui_amount'],
  [26, 'pausable'],
  [28, 'permissioned_burn'],
]);

const UNINITIALISED = 0;
const HEADER_BYTES = 4;

/** Extensions in the order of the account: type (u16), length (u16), value. A type of 0 ends the list. */
function* extensionsOf(data: Uint8Array): Generator<{ type: number; start: number; end: number }> {
  const fields = fieldsOf(data);
  let offset = TOKEN_ACCOUNT_BYTES + 1;
  while (offset + HEADER_BYTES <= data.length) {
    const type = fields.u16(offset);
    if (type === UNINITIALISED) return;
    const start = offset + HEADER_BYTES;
    offset = start + fields.u16(offset + 2);
    yield { type, start, end: offset };
  }
}

/**
 * Names of the extensions of a mint. An extension outside the table is named `extension_<number>`, so that an
 * upgrade of the token program hides nothing. Null when the list runs past the end of the data.
 */
export function readMintExtensions(data: Uint8Array): readonly string[] | null {
  const found: string[] = [];
  for (const { type, end } of extensionsOf(data)) {
    if (end > data.length) return null;
    found.push(names.get(type) ?? `extension_${type}`);
  }
  return found;
}

/** The value of an extension, by its number. Null when the mint does not carry all of it. */
export function findMintExtension(data: Uint8Array, wanted: number): Uint8Array | null {
  for (const { type, start, end } of extensionsOf(data))
    if (type === wanted) return end > data.length ? null : data.subarray(start, end);
  return null;
}
