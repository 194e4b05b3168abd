import type { S3Client } from '@aws-sdk/client-s3';
import { STORED_BYTES_MAX } from '../decoding/limits.ts';
import { isHash } from '../image-hash.ts';
import { type ImageStore, ImageStoreFailure } from './image-store.ts';

export interface S3Settings {
  bucket: string;
  /** An address besides those of AWS. */
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
/** One call and its repetition take no longer together. */
const TIMEOUT_MS = 4_000;
const ATTEMPTS = 2;

/**
 * A bucket. Its client takes 0.4 s and 30 MB to load (measured on a busy machine), so it is loaded with the first call.
 */
export class S3Store implements ImageStore {
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
    const Key = `${PREFIX}probe`;
    await this.#call('used', async ({ client, sdk }, abortSignal) => {
      await client.send(new sdk.PutObjectCommand({ Bucket, Key, Body: 'probe' }), { abortSignal });
      await client.send(new sdk.GetObjectCommand({ Bucket, Key }), { abortSignal });
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
