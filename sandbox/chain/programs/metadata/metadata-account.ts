import { BorshWriter } from '../anchor/borsh.ts';

export const TOKEN_METADATA = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s';

export const METADATA_BYTES = 679;
export const UPDATE_AUTHORITY_OFFSET = 1;
const KEY_METADATA = 4;
const STANDARD_FUNGIBLE = 2;
const STANDARD_FUNGIBLE_ASSET = 1;

/** The longest texts. Each takes this many bytes in the account, also when it is shorter. */
export const textBytesMax = { name: 32, symbol: 10, uri: 200 } as const;

export interface Metadata {
  readonly updateAuthority: string;
  readonly mint: string;
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
  readonly sellerFeeBasisPoints: number;
  readonly isMutable: boolean;
  /** Bump of the address of an edition, although no fungible token has one. */
  readonly editionBump: number;
  readonly decimals: number;
}

/** The whole account, without creators, collection and uses. Its last byte says that it holds the creation fee. */
export function metadataAccount(metadata: Metadata): Uint8Array {
  const { name, symbol, uri } = metadata;
  const standard = metadata.decimals > 0 ? STANDARD_FUNGIBLE : STANDARD_FUNGIBLE_ASSET;
  const fields = new BorshWriter()
    .u8(KEY_METADATA)
    .address(metadata.updateAuthority, metadata.mint)
    .bytes(padded(name, textBytesMax.name))
    .bytes(padded(symbol, textBytesMax.symbol))
    .bytes(padded(uri, textBytesMax.uri))
    .u16(metadata.sellerFeeBasisPoints)
    .bool(false) // creators
    .bool(false) // primary sale happened
    .bool(metadata.isMutable)
    .bool(true)
    .u8(metadata.editionBump)
    .bool(true)
    .u8(standard)
    .finish();
  const data = new Uint8Array(METADATA_BYTES);
  data.set(fields);
  data[METADATA_BYTES - 1] = 1;
  return data;
}

function padded(text: string, bytes: number): Uint8Array {
  const room = Buffer.alloc(bytes);
  room.write(text);
  return new BorshWriter().u32(bytes).bytes(room).finish();
}
