import { lockAccount } from '../../db/account-lock.ts';
import type { Transaction } from '../../db/client.ts';
import { findDayOfUploads, findUpload } from './find-image.ts';
import { lockImage } from './lock-images.ts';
import type { ImageRow } from './record.ts';
import { requireRoom } from './upload-limits.ts';

/**
 * Records an upload before its bytes are in the store, in the caller's transaction; the row of the first of several with the
 * same file. Throws `image_limit_reached`.
 */
export async function recordImage(transaction: Transaction, image: ImageRow): Promise<ImageRow> {
  const { accountId, sourceHash, createdAt, byteLength } = image;
  await lockAccount(transaction, accountId);
  const earlier = await findUpload(transaction, accountId, sourceHash);
  if (earlier !== null) return earlier;
  requireRoom(await findDayOfUploads(transaction, accountId, createdAt), byteLength);
  await lockImage(transaction, image.hash);
  await transaction`insert into images ${transaction({ ...image })}`;
  return image;
}
