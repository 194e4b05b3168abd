import { STORED_BYTES_MAX } from '../decoding/limits.ts';
import { hashOf } from '../image-hash.ts';

/** Where images are kept, by the SHA-256 of their bytes. Every method may be repeated, also at the same time. */
export interface ImageStore {
  /** The bytes are durable when it resolves. */
  put(image: { hash: string; bytes: Uint8Array; mediaType: string }): Promise<void>;
  /** The bytes as the store has them, which nobody has checked; null when it has none. */
  get(hash: string): Promise<Uint8Array | null>;
  /** The file of an image, unread; null when there is none. Absent where images are no files. */
  file?(hash: string): Promise<StoredFile | null>;
  /** Throws ImageStoreFailure when the store cannot be read and written. */
  probe(): Promise<void>;
}

/** A store with what a sweep needs, which the api does not. */
export interface SweptStore extends ImageStore {
  /** Everything in the store but what `probe` leaves, in no certain order. It is never in memory as a whole. */
  list(): AsyncIterable<ListedFile>;
  /** Removes a listed file that is not foreign; nothing happens when it is gone. */
  remove(file: Pick<ListedFile, 'kind' | 'name'>): Promise<void>;
}

export interface ListedFile {
  /** An image; a file of a folder that is being written, or was by a process that died; or what no api has stored. */
  kind: 'image' | 'arriving' | 'foreign';
  /** The hash of an image; the path or key of any other. */
  name: string;
  byteLength: number;
  modifiedAt: Date;
}

/** A file that the system sends without its bytes passing through the process. */
export interface StoredFile {
  body: Blob;
  byteLength: number;
  /** Another one when the file has changed. */
  version: string;
}

/** A store that cannot be reached, is full, or has other bytes than it should. */
export class ImageStoreFailure extends Error {
  override readonly name = 'ImageStoreFailure';
}

/** Reads an image. Throws ImageStoreFailure for bytes that are not those of the hash: no store is believed alone. */
export async function readImage(store: ImageStore, hash: string): Promise<Uint8Array | null> {
  const bytes = await store.get(hash);
  if (bytes === null) return null;
  if (bytes.byteLength > STORED_BYTES_MAX || hashOf(bytes) !== hash)
    throw new ImageStoreFailure(`the store has other bytes under ${hash}`);
  return bytes;
}
