import { BoundedMap } from '../../shared/bounded-map.ts';
import type { Gate } from '../../shared/gate.ts';
import type { Logger } from '../../shared/log.ts';
import { Problem } from '../../shared/problem.ts';
import { SingleFlight } from '../../shared/single-flight.ts';
import { isStoredType, type StoredType, typeOf } from './image-types.ts';
import { callStore } from './stores/call-store.ts';
import { type ImageStore, readImage } from './stores/image-store.ts';

export interface StoredImage {
  bytes: Uint8Array;
  mediaType: StoredType;
}

/** At most 20 MB with images of 5 MiB, usually 2 MB: a proxy in front keeps the rest. */
const CACHED_MAX = 8;

/**
 * Reads images for anybody. The store alone decides, so that images are served without Postgres; the type is that of the bytes,
 * which are compared with their hash.
 */
export class ImageReader {
  readonly #store: ImageStore | null;
  readonly #gate: Gate;
  readonly #log: Logger;
  readonly #cached = new BoundedMap<string, StoredImage>(CACHED_MAX);
  readonly #reads = new SingleFlight<StoredImage | null>();

  /** @param gate bounds the reads that are in memory at a time */
  constructor(store: ImageStore | null, gate: Gate, log: Logger) {
    this.#store = store;
    this.#gate = gate;
    this.#log = log;
  }

  /** Throws `not_found`, or `api_dependency_unavailable` when the store fails or has other bytes. */
  async serve(hash: string): Promise<StoredImage> {
    const image = this.#cached.get(hash) ?? (await this.#read(hash));
    if (image === null) throw new Problem('not_found', { detail: 'No image has this hash.' });
    return image;
  }

  #read(hash: string): Promise<StoredImage | null> {
    const store = this.#store;
    if (store === null) return Promise.resolve(null);
    return this.#reads.run(
      hash,
      () => this.#gate.run(() => callStore(this.#log, () => load(store, hash))),
      (result) => {
        if (result.status === 'fulfilled' && result.value !== null) this.#cached.set(hash, result.value);
      },
    );
  }
}

async function load(store: ImageStore, hash: string): Promise<StoredImage | null> {
  const bytes = await readImage(store, hash);
  if (bytes === null) return null;
  const mediaType = typeOf(bytes);
  return isStoredType(mediaType) ? { bytes, mediaType } : null;
}
