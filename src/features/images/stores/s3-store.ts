import type { _Object as ListedObject, S3Client } from '@aws-sdk/client-s3';
import { STORED_BYTES_MAX } from '../decoding/limits.ts';
import { isHash } from '../image-hash.ts';
import { ImageStoreFailure, type ListedFile, type SweptStore } from './image-store.ts';

export interface S3Settings {
  bucket: string;
  /** The address of a store that is not at AWS. */
  endpoint: string | undefined;
  region: string;
  /** Without them the client looks where those of AWS look: variables, files, the role of the machine or the pod. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
}

interface Loaded {
  client: S3Client;
  sdk: typeof import('@aws-sdk/client-s3');
}

/** Begins the key of every object. */
const PREFIX = 'images/';
const PROBE_KEY = `${PREFIX}probe`;
/** One call and its repetition take no longer together. */
const TIMEOUT_MS = 4_000;
const ATTEMPTS = 2;

/**
 * A bucket. Its client takes 0.4 s and 30 MB to load (measured on a busy machine), so it is loaded with the first call.
 */
export class S3Store implements SweptStore {
  readonly #settings: S3Settings;
  readonly #timeoutMs: number;
  #client: Promise<Loaded> | undefined;

  constructor(settings: S3Settings, timeoutMs = TIMEOUT_MS) {
    this.#settings = settings;
    this.#timeoutMs = timeoutMs;
  }

  async put({
    hash,
    bytes,
    mediaType,
  }: {
    hash: string;
    bytes: Uint8Array;
    mediaType: string;
  }): Promise<void> {
    await this.#call('written', async ({ client, sdk }, abortSignal) => {
      const command = new sdk.PutObjectCommand({
        ...this.#object(hash),
        Body: bytes,
        ContentType: mediaType,
        CacheControl: 'public, max-age=31536000, immutable',
        // The server compares what has arrived with it.
        ChecksumSHA256: Buffer.from(hash, 'hex').toString('base64'),
      });
      await client.send(command, { abortSignal });
    });
  }

  async get(hash: string): Promise<Uint8Array | null> {
    return this.#call('read', async ({ client, sdk }, abortSignal) => {
      try {
        const command = new sdk.GetObjectCommand(this.#object(hash));
        const { Body } = await client.send(command, { abortSignal });
        return Body === undefined ? null : await collect(Body.transformToWebStream());
      } catch (error) {
        if (error instanceof sdk.NoSuchKey) return null;
        throw error;
      }
    });
  }

  async probe(): Promise<void> {
    const Bucket = this.#settings.bucket;
    const Key = PROBE_KEY;
    await this.#call('used', async ({ client, sdk }, abortSignal) => {
      await client.send(new sdk.PutObjectCommand({ Bucket, Key, Body: 'probe' }), { abortSignal });
      await client.send(new sdk.GetObjectCommand({ Bucket, Key }), { abortSignal });
    });
  }

  async *list(): AsyncGenerator<ListedFile, void> {
    let next: string | undefined;
    do {
      const after = next;
      const page = await this.#call('listed', async ({ client, sdk }, abortSignal) => {
        const command = new sdk.ListObjectsV2Command({
          Bucket: this.#settings.bucket,
          Prefix: PREFIX,
          ContinuationToken: after,
        });
        const { Contents, NextContinuationToken } = await client.send(command, { abortSignal });
        return { files: (Contents ?? []).map(toListedFile), next: NextContinuationToken };
      });
      for (const file of page.files) if (file.name !== PROBE_KEY) yield file;
      ({ next } = page);
    } while (next !== undefined);
  }

  async remove({ kind, name }: Pick<ListedFile, 'kind' | 'name'>): Promise<void> {
    if (kind === 'foreign') throw new Error('a foreign object is not removed');
    await this.#call('emptied', async ({ client, sdk }, abortSignal) => {
      await client.send(new sdk.DeleteObjectCommand(this.#object(name)), { abortSignal });
    });
  }

  #object(hash: string): { Bucket: string; Key: string } {
    if (!isHash(hash)) throw new Error('an image is stored under a hash alone');
    return { Bucket: this.#settings.bucket, Key: `${PREFIX}${hash}` };
  }

  async #call<Value>(
    what: string,
    work: (loaded: Loaded, signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> {
    try {
      return await work(await this.#load(), AbortSignal.timeout(this.#timeoutMs));
    } catch (error) {
      const name = error instanceof Error ? error.name : 'unknown';
      throw new ImageStoreFailure(`the bucket of images cannot be ${what}: ${name}`, { cause: error });
    }
  }

  #load(): Promise<Loaded> {
    this.#client ??= import('@aws-sdk/client-s3').then((sdk) => {
      const { endpoint, region, credentials } = this.#settings;
      const client = new sdk.S3Client({
        region,
        maxAttempts: ATTEMPTS,
        ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
        ...(credentials !== undefined && { credentials }),
      });
      return { client, sdk };
    });
    return this.#client;
  }
}

function toListedFile({ Key, Size, LastModified }: ListedObject): ListedFile {
  if (Key === undefined || Size === undefined || LastModified === undefined)
    throw new Error('an object is listed without its key, size or time');
  const hash = Key.slice(PREFIX.length);
  const isImage = isHash(hash);
  return {
    kind: isImage ? 'image' : 'foreign',
    name: isImage ? hash : Key,
    byteLength: Size,
    modifiedAt: LastModified,
  };
}

/** All bytes of an object. Throws as soon as there are more than an image has, whatever length was announced. */
async function collect(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let byteCount = 0;
  for await (const piece of stream) {
    pieces.push(piece);
    byteCount += piece.byteLength;
    if (byteCount > STORED_BYTES_MAX) throw new RangeError('the object is larger than any image');
  }
  return Buffer.concat(pieces);
}
