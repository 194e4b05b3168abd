import { encodeAddress } from '../../shared/address.ts';
import { type ChainAccount, fieldsOf } from './account-data.ts';
import { TOKEN_2022, TOKEN_METADATA } from './programs.ts';
import { TOKEN_ACCOUNT_BYTES } from './token-account.ts';

/** What a token says of itself on chain. */
export interface TokenMetadata {
  /** Null: nobody can change it any more. */
  updateAuthority: string | null;
  mintAddress: string;
  name: string;
  symbol: string;
  uri: string;
}

const KEY_BYTES = 32;
const METADATA_V1 = 4;
const TOKEN_METADATA_EXTENSION = 19;
const NOBODY = '11111111111111111111111111111111';

/** The metadata in an account of the metadata program, or in a Token-2022 mint; null when there is none. */
export function readTokenMetadata(account: ChainAccount | null): TokenMetadata | null {
  if (account === null) return null;
  const { owner, data } = account;
  const fields =
    owner === TOKEN_METADATA && data[0] === METADATA_V1 ? data.subarray(1) : extensionOf(account);
  if (fields === null) return null;
  try {
    return readFields(fields);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The value of the extension, which follows those before it: type (u16), length (u16), value. */
function extensionOf({ owner, data }: ChainAccount): Uint8Array | null {
  if (owner !== TOKEN_2022) return null;
  const fields = fieldsOf(data);
  let offset = TOKEN_ACCOUNT_BYTES + 1;
  while (offset + 4 <= data.length) {
    const [type, length] = [fields.u16(offset), fields.u16(offset + 2)];
    offset += 4;
    if (type === TOKEN_METADATA_EXTENSION) return data.subarray(offset, offset + length);
    if (type === 0) return null;
    offset += length;
  }
  return null;
}

/** Update authority, mint, then three strings, which the metadata program pads with zero bytes. */
function readFields(data: Uint8Array): TokenMetadata {
  let offset = 0;
  const take = (byteCount: number): Buffer => {
    const taken = Buffer.from(data.subarray(offset, offset + byteCount));
    if (taken.length < byteCount) throw new RangeError('the metadata is shorter than its layout');
    offset += byteCount;
    return taken;
  };
  const text = () => take(take(4).readUInt32LE(0)).toString('utf8').replace(/\0+$/, '');
  const [authority, mintAddress] = [encodeAddress(take(KEY_BYTES)), encodeAddress(take(KEY_BYTES))];
  return {
    updateAuthority: authority === NOBODY ? null : authority,
    mintAddress,
    name: text(),
    symbol: text(),
    uri: text(),
  };
}
