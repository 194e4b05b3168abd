import type { Database } from '../../db/client.ts';
import { BoundedMap } from '../../shared/bounded-map.ts';
import type { Gate, GateClient } from '../../shared/gate.ts';
import { GatedLoads } from '../../shared/gated-loads.ts';
import type { Logger } from '../../shared/log.ts';
import { Problem } from '../../shared/problem.ts';
import { isImageKnown } from './find-image.ts';
import { isStoredType, type StoredType, typeOf } from './image-types.ts';
import type { ImageMetrics } from './metrics.ts';
import { callStore } from './stores/call-store.ts';
import { type ImageStore, readImage, type StoredFile } from './stores/image-store.ts';

/** An image as it is sent: from memory, or from its file, which nobody has to read for that. */
export interface SentImage {
  body: Uint8Array | Blob;
  byteLength: number;
  mediaType: StoredType;
}

interface LoadedImage {
  bytes: Uint8Array;
  mediaType: StoredType;
}

/** Images of a store without files: a proxy in front keeps the rest. */
const KEPT_BYTES_MAX = 32 * 1024 * 1024;
const COMPARED_MAX = 10_000;

export interface ImageReaderOptions {
  database: Database;
  /** Bounds the reads that are in memory at a time. */
  gate: Gate;
  log: Logger;
  imageMetrics: Pick<ImageMetrics, 'onRead'>;
}

/**
 * Reads images for anybody: those that a row names. Bytes are compared with their hash when they are read from
 * the store. A file is read for that once, and again when it has changed; then the system sends it.
 */
export class ImageReader {
  readonly #store: ImageStore | null;
  readonly #options: ImageReaderOptions;
  readonly #kept = new BytesKept<LoadedImage>(KEPT_BYTES_MAX, ({ bytes }) => bytes.byteLength);
  /** Files whose bytes are those of their hash, and that a row names. */
  readonly #compared = new BoundedMap<string, { version: string; mediaType: StoredType }>(COMPARED_MAX);
  readonly #reads = new GatedLoads<LoadedImage | null>();

  constructor(store: ImageStore | null, options: ImageReaderOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** Throws `not_found`, or `api_dependency_unavailable` when the store fails or has other bytes. */
  async serve(hash: string, client: GateClient): Promise<SentImage> {
    const { onRead } = this.#options.imageMetrics;
    try {
      const { image, isKept } = await this.#find(hash, client);
      onRead(image === null ? 'missing' : isKept ? 'memory' : 'store', image?.byteLength ?? 0);
      if (image === null) throw new Problem('not_found', { detail: 'No image has this hash.' });
      return image;
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'not_found')) onRead('failed', 0);
      throw error;
    }
  }

  async #find(hash: string, client: GateClient): Promise<{ image: SentImage | null; isKept: boolean }> {
    const store = this.#store;
    if (store === null) return { image: null, isKept: false };
    if (store.file === undefined) {
      const kept = this.#kept.get(hash);
      const image = kept ?? (await this.#read(store, hash, client));
      if (image !== null && kept === undefined) this.#kept.set(hash, image);
      return { image: image && fromMemory(image.bytes, image.mediaType), isKept: kept !== undefined };
    }
    const file = await callStore(this.#options.log, async () => (await store.file?.(hash)) ?? null);
    if (file === null) return { image: null, isKept: false };
    const compared = this.#compared.get(hash);
    if (compared?.version === file.version)
      return { image: fromFile(file, compared.mediaType), isKept: true };
    const image = await this.#read(store, hash, client);
    if (image !== null) {
      const { mediaType } = image;
      // The file of this version was there before its bytes were read: one that replaced it has another.
      this.#compared.set(hash, { version: file.version, mediaType });
    }
    return { image: image && fromMemory(image.bytes, image.mediaType), isKept: false };
  }

  #read(store: ImageStore, hash: string, client: GateClient): Promise<LoadedImage | null> {
    const { database, gate, log } = this.#options;
    return this.#reads.run(hash, gate.of(client), async () =>
      (await isImageKnown(database, hash)) ? callStore(log, () => load(store, hash)) : null,
    );
  }
}

function fromMemory(bytes: Uint8Array, mediaType: StoredType): SentImage {
  return { body: bytes, byteLength: bytes.byteLength, mediaType };
}

function fromFile({ body, byteLength }: StoredFile, mediaType: StoredType): SentImage {
  return { body, byteLength, mediaType };
}

async function load(store: ImageStore, hash: string): Promise<LoadedImage | null> {
  const bytes = await readImage(store, hash);
  if (bytes === null) return null;
  const mediaType = typeOf(bytes);
  return isStoredType(mediaType) ? { bytes, mediaType } : null;
}

/** Values that are kept up to a number of bytes; the least recently used go first. */
class BytesKept<Value> {
  readonly #values = new Map<string, Value>();
  readonly #bytesMax: number;
  readonly #sizeOf: (value: Value) => number;
  #bytes = 0;

  constructor(bytesMax: number, sizeOf: (value: Value) => number) {
    this.#bytesMax = bytesMax;
    this.#sizeOf = sizeOf;
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) {
      this.#values.delete(key);
      this.#values.set(key, value);
    }
    return value;
  }

  set(key: string, value: Value): void {
    this.#delete(key);
    this.#values.set(key, value);
    this.#bytes += this.#sizeOf(value);
    for (const oldest of this.#values.keys()) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#delete(oldest);
    }
  }

  #delete(key: string): void {
    const value = this.#values.get(key);
    if (value === undefined) return;
    this.#values.delete(key);
    this.#bytes -= this.#sizeOf(value);
  }
}
