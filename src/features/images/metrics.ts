import { Durations } from '../../shared/metrics/durations.ts';
import { LabelledCounts } from '../../shared/metrics/labelled-counts.ts';
import type { ProcessMetrics } from '../../shared/metrics/process-metrics.ts';
import { type DecoderEnd, type ImageRefusal, imageRefusals } from './decoding/run-decoder.ts';

/**
 * - `stored`: decoded and stored.
 * - `repeated`: the account had uploaded it before.
 * - `busy`: too many others were being decoded.
 * - `failed`: decoder, store or database could not be used.
 */
type UploadOutcome = 'stored' | 'repeated' | 'limit_reached' | 'busy' | 'failed' | ImageRefusal;

/** Where a read found the image. */
type ReadResult = 'memory' | 'store' | 'missing' | 'failed';

/** The numbers of uploads and reads. Several requests for the same work at the same time count once. */
export interface ImageMetrics {
  onUpload(outcome: UploadOutcome, byteLength: number): void;
  onDecoded(outcome: DecoderEnd['outcome'], durationMs: number): void;
  onStored(byteLength: number): void;
  onRead(result: ReadResult, byteLength: number): void;
}

const uploadOutcomes = [
  'stored',
  'repeated',
  'limit_reached',
  'busy',
  'failed',
  ...imageRefusals,
] as const satisfies readonly UploadOutcome[];
const readResults = ['memory', 'store', 'missing', 'failed'] as const satisfies readonly ReadResult[];
const decoderOutcomes = ['decoded', 'refused', 'failed'] as const;
/** From a file that is no image to the end of the longest decoder. */
const BOUNDS_MS = [10, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000];

export function createImageMetrics(metrics: ProcessMetrics): ImageMetrics {
  const uploads = new LabelledCounts(metrics, 'launchwire_image_uploads_total', {
    help: 'Uploads of images by outcome; the reasons of refusals are those of the contract',
    labels: ['outcome'],
    known: uploadOutcomes.map((outcome) => [outcome]),
  });
  const reads = new LabelledCounts(metrics, 'launchwire_image_reads_total', {
    help: 'Images that were asked for, by where they were: in memory, in the store, missing, or not readable',
    labels: ['result'],
    known: readResults.map((result) => [result]),
  });
  const durations = new Durations(
    {
      name: 'launchwire_image_decode_seconds',
      help: 'Time from the start of a decoder to its end, by outcome',
      label: 'outcome',
      boundsMs: BOUNDS_MS,
    },
    decoderOutcomes,
  );
  metrics.addDurations(durations);
  const bytes = { uploaded: 0, stored: 0, read: 0 };
  metrics.tallies(
    'launchwire_image_bytes_total',
    'Bytes of images: of uploads, of what was put into the store, and of what was found for reads, also for 304',
    ['flow'],
    () => Object.entries(bytes).map(([flow, count]) => ({ labels: { flow }, count })),
  );
  return {
    onUpload(outcome, byteLength) {
      uploads.add(outcome);
      bytes.uploaded += byteLength;
    },
    onDecoded: (outcome, durationMs) => durations.observe(outcome, durationMs),
    onStored(byteLength) {
      bytes.stored += byteLength;
    },
    onRead(result, byteLength) {
      reads.add(result);
      bytes.read += byteLength;
    },
  };
}
