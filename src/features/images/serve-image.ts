import { BoundedMap } from '../../shared/bounded-map.ts';
import type { Gate, GateClient } from '../../shared/gate.ts';
import { GatedLoads } from '../../shared/gated-loads.ts';
import type { Logger } from '../../shared/log.ts';
import { Problem } from '../../shared/problem.ts';
import { isStoredType, type StoredType, typeOf } from './image-types.ts';
import type { ImageMetrics } from './metrics.ts';
import { callStore } from './stores/call-store.ts';
import { type ImageStore, readImage } from './stores/image-store.ts';

export interface StoredImage {
  bytes: Uint8Array;
  mediaType: StoredType;
}

/** At most 34 MB with images of 4.2 MB, usually 1.3 MB: a proxy in front keeps the rest. */
const CACHED_MAX = 8;

/**
 * Reads images for anybody. The store alone decides, so that images are served without Postgres; the type is that of the bytes,
 * which are compared with their hash.
 */
export class ImageReader {
  readonly #store: ImageStore | null;
  readonly #gate: Gate;
  readonly #log: Logger;
  readonly #metrics: Pick<ImageMetrics, 'onRead'>;
  readonly #cached = new BoundedMap<string, StoredImage>(CACHED_MAX);
  readonly #reads = new GatedLoads<StoredImage | null>();

  /** @param options.gate bounds the reads that are in memory at a time */
  constructor(
    store: ImageStore | null,
    { gate, log, imageMetrics }: { gate: Gate; log: Logger; imageMetrics: Pick<ImageMetrics, 'onRead'> },
  ) {
    this.#store = store;
    this.#gate = gate;
    this.#log = log;
    this.#metrics = imageMetrics;
  }

  /** Throws `not_found`, or `api_dependency_unavailable` when the store fails or has other bytes. */
  async serve(hash: string, client: GateClient): Promise<StoredImage> {
    const cached = this.#cached.get(hash);
    const image = cached ?? (await this.#readCounted(hash, client));
    this.#metrics.onRead(
      image === null ? 'missing' : cached === undefined ? 'store' : 'memory',
      image?.bytes.byteLength ?? 0,
    );
    if (image === null) throw new Problem('not_found', { detail: 'No image has this hash.' });
    return image;
  }

  async #readCounted(hash: string, client: GateClient): Promise<StoredImage | null> {
    try {
      return await this.#read(hash, client);
    } catch (error) {
      this.#metrics.onRead('failed', 0);
      throw error;
    }
  }

  #read(hash: string, client: GateClient): Promise<StoredImage | null> {
    const store = this.#store;
    if (store === null) return Promise.resolve(null);
    return this.#reads.run(
      hash,
      this.#gate.of(client),
      () => callStore(this.#log, () => load(store, hash)),
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
