import { encodeAddress } from '../../shared/address.ts';
import type { ChainAccount } from './account-data.ts';
import { findMintExtension } from './mint-extensions.ts';
import { SYSTEM_PROGRAM, TOKEN_2022, TOKEN_METADATA } from './programs.ts';

/** Name, symbol and URI of a token as the chain holds them. */
export interface TokenMetadata {
  /** Null: nobody can change the metadata any more. */
  updateAuthority: string | null;
  mintAddress: string;
  name: string;
  symbol: string;
  uri: string;
}

const KEY_BYTES = 32;
const METADATA_V1 = 4;
const TOKEN_METADATA_EXTENSION = 19;
/** An update authority of zero bytes means that there is none. It reads as the address of the system program. */
const NO_AUTHORITY = SYSTEM_PROGRAM;

/** The metadata in an account of the metadata program, or in a Token-2022 mint. Null when there is none. */
export function readTokenMetadata(account: ChainAccount | null): TokenMetadata | null {
  if (account === null) return null;
  const { owner, data } = account;
  const fields = owner === TOKEN_METADATA ? ofMetadataProgram(data) : ofMint(owner, data);
  if (fields === null) return null;
  try {
    return readFields(fields);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function ofMetadataProgram(data: Uint8Array): Uint8Array | null {
  return data[0] === METADATA_V1 ? data.subarray(1) : null;
}

function ofMint(owner: string, data: Uint8Array): Uint8Array | null {
  return owner === TOKEN_2022 ? findMintExtension(data, TOKEN_METADATA_EXTENSION) : null;
}

function withoutPadding(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0) + 1);
}

/** Update authority, mint, then three strings. The metadata program pads the strings with zero bytes. */
function readFields(data: Uint8Array): TokenMetadata {
  let offset = 0;
  const take = (byteCount: number): Buffer => {
    const bytes = Buffer.from(data.subarray(offset, offset + byteCount));
    if (bytes.length < byteCount) throw new RangeError('the metadata is shorter than its layout');
    offset += byteCount;
    return bytes;
  };
  const text = () => withoutPadding(take(take(4).readUInt32LE(0))).toString('utf8');
  const [authority, mintAddress] = [encodeAddress(take(KEY_BYTES)), encodeAddress(take(KEY_BYTES))];
  return {
    updateAuthority: authority === NO_AUTHORITY ? null : authority,
    mintAddress,
    name: text(),
    symbol: text(),
    uri: text(),
  };
}
