import type { Queryable } from '../../db/client.ts';
import { imageAddress, imageReference } from '../../shared/image-address.ts';
import type { StoredType } from './image-types.ts';
import type { Image } from './schema.ts';

/** A row of `images`. */
export interface ImageRow {
  accountId: string;
  sourceHash: string;
  hash: string;
  contentType: StoredType;
  width: number;
  height: number;
  byteLength: number;
  createdAt: Date;
}

/** SQL: the columns of an ImageRow. */
export function imageColumns(sql: Queryable) {
  return sql`account_id, source_hash, hash, content_type, width, height, byte_length, created_at`;
}

export function toImage(row: ImageRow, publicUrl: string): Image {
  const { hash, contentType, width, height, byteLength, createdAt } = row;
  return {
    hash,
    imageUrl: imageReference(hash),
    url: imageAddress(publicUrl, hash),
    contentType,
    width,
    height,
    byteLength,
    createdAt: createdAt.toISOString(),
  };
}
