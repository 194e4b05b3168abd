import type { Database } from '../../db/client.ts';
import type { Clock } from '../../shared/clock.ts';
import { accountClient, type Gate, GateRefused } from '../../shared/gate.ts';
import type { Logger } from '../../shared/log.ts';
import { Problem } from '../../shared/problem.ts';
import type { SingleFlight } from '../../shared/single-flight.ts';
import { PIXELS_MAX } from './decoding/limits.ts';
import { type DecodedImage, type ImageRefusal, imageRefusals, runDecoder } from './decoding/run-decoder.ts';
import { findDayOfUploads, findUpload } from './find-image.ts';
import { hashOf } from './image-hash.ts';
import type { UploadedType } from './image-types.ts';
import type { ImageMetrics } from './metrics.ts';
import type { ImageRow } from './record.ts';
import { recordImage } from './record-image.ts';
import { callStore } from './stores/call-store.ts';
import { type ImageStore, ImageStoreFailure, readImage } from './stores/image-store.ts';
import { requireRoom } from './upload-limits.ts';

export interface UploadDependencies {
  database: Database;
  clock: Clock;
  log: Logger;
  /** Null where none is configured. */
  imageStore: ImageStore | null;
  /** Bounds decoders that run at a time. */
  decoderGate: Gate;
  /** Uploads of the same file of an account at the same time are one. */
  uploads: SingleFlight<ImageRow>;
  imageMetrics: ImageMetrics;
  runDecoder?: typeof runDecoder;
}

export interface Upload {
  accountId: string;
  bytes: Uint8Array;
  mediaType: UploadedType;
}

/**
 * Decodes, records and stores an image. The row comes first and takes its room of the day, so the store gets no bytes that no row
 * names. A process that is killed in between leaves a row without bytes: the repetition stores them. Throws `images_unavailable`, `image_invalid`,
 * `image_limit_reached`, `api_dependency_unavailable`.
 */
export async function takeImage(upload: Upload, dependencies: UploadDependencies): Promise<ImageRow> {
  const { imageStore, uploads } = dependencies;
  if (imageStore === null) throw new Problem('images_unavailable');
  const sourceHash = hashOf(upload.bytes);
  return uploads.run(`${upload.accountId} ${upload.mediaType} ${sourceHash}`, () =>
    storeAndCount(upload, dependencies, () => storeUpload(upload, sourceHash, imageStore, dependencies)),
  );
}

async function storeAndCount(
  { bytes: { byteLength } }: Upload,
  { imageMetrics }: UploadDependencies,
  store: () => Promise<StoredUpload>,
): Promise<ImageRow> {
  try {
    const { row, isNew } = await store();
    imageMetrics.onUpload(isNew ? 'stored' : 'repeated', byteLength);
    return row;
  } catch (error) {
    imageMetrics.onUpload(outcomeOf(error), byteLength);
    throw error;
  }
}

function outcomeOf(error: unknown): Parameters<ImageMetrics['onUpload']>[0] {
  if (error instanceof GateRefused) return 'busy';
  if (!(error instanceof Problem)) return 'failed';
  if (error.code === 'image_limit_reached') return 'limit_reached';
  return imageRefusals.find((reason) => reason === error.facts.context?.reason) ?? 'failed';
}

interface StoredUpload {
  row: ImageRow;
  isNew: boolean;
}

async function storeUpload(
  { accountId, bytes: file, mediaType: declared }: Upload,
  sourceHash: string,
  imageStore: ImageStore,
  dependencies: UploadDependencies,
): Promise<StoredUpload> {
  const { database, clock, log, imageMetrics } = dependencies;
  const earlier = await findUpload(database, accountId, sourceHash);
  if (earlier !== null && (await isStored(imageStore, earlier.hash, log)))
    return { row: earlier, isNew: false };
  if (earlier === null) requireRoom(await findDayOfUploads(database, accountId, clock.now()), 1);
  const { bytes, mediaType, width, height } = await decode(file, declared, accountId, dependencies);
  const hash = hashOf(bytes);
  const upload = {
    accountId,
    sourceHash,
    hash,
    contentType: mediaType,
    width,
    height,
    byteLength: bytes.byteLength,
    createdAt: clock.now(),
  };
  const row = await database.begin((transaction) => recordImage(transaction, upload));
  if (row.hash !== hash) throw reportLost(row, hash, log);
  await callStore(log, () => imageStore.put({ hash, bytes, mediaType }));
  imageMetrics.onStored(bytes.byteLength);
  return { row, isNew: true };
}

/** The store has lost an image that this release encodes in other bytes: nobody can restore those of its address. */
function reportLost({ hash }: ImageRow, encoded: string, log: Logger): Problem {
  log.error({ hash, encoded }, 'image.lost');
  return new Problem('api_dependency_unavailable', { detail: 'The store of images has lost this image.' });
}

async function decode(
  file: Uint8Array,
  declared: UploadedType,
  accountId: string,
  { decoderGate, log, imageMetrics, runDecoder: run = runDecoder }: UploadDependencies,
): Promise<DecodedImage> {
  const end = await decoderGate.run(accountClient(accountId), async () => {
    const begun = performance.now();
    const ended = await run(file, declared);
    imageMetrics.onDecoded(ended.outcome, performance.now() - begun);
    return ended;
  });
  switch (end.outcome) {
    case 'decoded':
      return end.image;
    case 'refused':
      if (end.died) log.warn({ accountId, reason: end.reason }, 'image.decoder_died');
      throw new Problem('image_invalid', {
        detail: refusalDetails[end.reason],
        context: { reason: end.reason },
      });
    case 'failed':
      log.error({ reason: end.reason }, 'image.decoder_failed');
      throw new Problem('api_dependency_unavailable', { detail: 'The image could not be decoded now.' });
  }
}

const refusalDetails: Readonly<Record<ImageRefusal, string>> = {
  not_an_image: 'The body is no PNG, JPEG, GIF or WebP file.',
  type_mismatch: 'The body is an image of another type than Content-Type says.',
  corrupt: 'The image is damaged: it cannot be decoded completely.',
  too_many_pixels: `The image has more than ${PIXELS_MAX.toLocaleString('en')} pixels.`,
  too_costly: 'The image takes too long to decode.',
};

/** A store that has lost or changed the bytes gets them again. */
async function isStored(store: ImageStore, hash: string, log: Logger): Promise<boolean> {
  try {
    return (await readImage(store, hash)) !== null;
  } catch (err) {
    if (!(err instanceof ImageStoreFailure)) throw err;
    log.error({ err, hash }, 'image.not_read');
    return false;
  }
}
