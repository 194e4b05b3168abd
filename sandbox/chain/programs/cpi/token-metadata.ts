import { SYSTEM_PROGRAM, TOKEN_METADATA } from '../../../../src/chain/accounts/programs.ts';
import { BorshWriter } from '../anchor/borsh.ts';
import type { DerivedAddress } from '../derived-address.ts';
import type { Effect } from '../effects.ts';
import { invoke, pays, reads, signs, writes } from './invoke.ts';
import type { TokenMetadata } from './token-2022.ts';

const UPDATE_METADATA_V2 = 15;
const CREATE_METADATA_V3 = 33;

/** Creates an account with the metadata of an SPL token. At first the mint's authority may change it. */
export function createTokenMetadata(
  metadata: string,
  mint: string,
  mintAuthority: DerivedAddress,
  payer: string,
  { name, symbol, uri }: TokenMetadata,
  isMutable: boolean,
): Effect {
  const data = new BorshWriter()
    .u8(CREATE_METADATA_V3)
    .string(name)
    .string(symbol)
    .string(uri)
    .u16(0) // seller fee
    .u8(0, 0, 0) // creators, collection, uses
    .bool(isMutable)
    .u8(0) // collection details
    .finish();
  const authority = mintAuthority.address;
  const accounts = [
    writes(metadata),
    reads(mint),
    signs(authority),
    pays(payer),
    signs(authority),
    reads(SYSTEM_PROGRAM),
  ];
  return invoke(TOKEN_METADATA, accounts, data, [mintAuthority]);
}

/** Gives metadata to another authority. */
export function giveTokenMetadata(metadata: string, from: DerivedAddress, to: string): Effect {
  const data = new BorshWriter().u8(UPDATE_METADATA_V2, 0, 1).address(to).u8(0, 0).finish();
  return invoke(TOKEN_METADATA, [writes(metadata), signs(from.address)], data, [from]);
}
