import { TOKEN_2022 } from '../../../../src/chain/accounts/programs.ts';
import { MULTISIG_BYTES } from '../../token-accounts.ts';
import { ZERO_ADDRESS } from '../../zero-address.ts';
import { BorshWriter } from '../anchor/borsh.ts';
import type { DerivedAddress } from '../derived-address.ts';
import type { Effect } from '../effects.ts';
import { invoke, reads, signs, writes } from './invoke.ts';

const METADATA_POINTER = 39;
const INITIALIZE_MINT_CLOSE_AUTHORITY = 25;
/**
 * The token-metadata interface: `spl_token_metadata_interface:initialize_account` and `:update_the_authority`, hashed.
 */
const METADATA_INITIALIZE = Buffer.from('d2e11ea258b84d8d', 'hex');
const METADATA_UPDATE_AUTHORITY = Buffer.from('d7e4a6e45464567b', 'hex');

/** Bytes of a mint with a metadata pointer, without and with a close authority; the metadata comes on top. */
export const POINTER_MINT_BYTES = 234;
export const POINTER_AND_CLOSE_MINT_BYTES = 270;
/** Type and length of an extension. */
const EXTENSION_HEADER_BYTES = 4;
const EXTENSION_TYPE_BYTES = 2;

export interface TokenMetadata {
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
}

/** Bytes of a mint of `bytes` after its metadata was added: authority, mint, three strings, an empty list. */
export function bytesWithMetadata(bytes: number, { name, symbol, uri }: TokenMetadata): number {
  const strings = [name, symbol, uri].map((text) => 4 + Buffer.byteLength(text));
  const metadata = EXTENSION_HEADER_BYTES + 64 + strings.reduce((sum, length) => sum + length, 0) + 4;
  const whole = bytes + metadata;
  // Token-2022 recognises a multisig by its length, and lengthens any other account that would have it by one type.
  return whole === MULTISIG_BYTES ? whole + EXTENSION_TYPE_BYTES : whole;
}

export function initializeMetadataPointer(mint: string, authority: string, metadata: string): Effect {
  const data = new BorshWriter().u8(METADATA_POINTER, 0).address(authority, metadata).finish();
  return invoke(TOKEN_2022, [writes(mint)], data);
}

export function initializeMintCloseAuthority(mint: string, authority: string): Effect {
  const data = new BorshWriter().u8(INITIALIZE_MINT_CLOSE_AUTHORITY, 1).address(authority).finish();
  return invoke(TOKEN_2022, [writes(mint)], data);
}

/** Puts the metadata into the mint itself. */
export function initializeMetadata(
  mint: string,
  updateAuthority: string,
  mintAuthority: DerivedAddress,
  { name, symbol, uri }: TokenMetadata,
): Effect {
  const data = new BorshWriter().bytes(METADATA_INITIALIZE).string(name).string(symbol).string(uri).finish();
  const accounts = [writes(mint), reads(updateAuthority), reads(mint), signs(mintAuthority.address)];
  return invoke(TOKEN_2022, accounts, data, [mintAuthority]);
}

/** @param next null, written as zero bytes, gives the authority up for good */
export function updateMetadataAuthority(mint: string, authority: string, next: string | null): Effect {
  const data = new BorshWriter()
    .bytes(METADATA_UPDATE_AUTHORITY)
    .address(next ?? ZERO_ADDRESS)
    .finish();
  return invoke(TOKEN_2022, [writes(mint), signs(authority)], data);
}
