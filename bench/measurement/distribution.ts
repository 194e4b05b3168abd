import {
  build,
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
  type Histogram,
} from 'hdr-histogram-js';
import { SAMPLES_ABOVE_MIN } from './percentiles.ts';

/** Covers a microsecond to a minute with an error of at most 0.1 %. */
const HIGHEST_US = 60_000_000;
const DIGITS = 3;
/** Points of a curve: each tail is half of the one before. */
const SHARES_MAX = 12;

/** All samples of one step of a variant, over all rounds. */
export interface Distribution {
  variant: string;
  /** The measured step, e.g. `due → answer`. */
  step: string;
  samples: number;
  /** HDR histogram of microseconds (V2, compressed, base64). */
  histogram: string;
}

/** Keeps the whole distributions of a case, where the percentiles of rounds leave most of the tail out. */
export class Distributions {
  readonly #histograms = new Map<string, { variant: string; step: string; histogram: Histogram }>();

  record(variant: string, step: string, samplesMs: readonly number[]): void {
    const key = `${variant}\n${step}`;
    const known = this.#histograms.get(key) ?? { variant, step, histogram: emptyHistogram() };
    this.#histograms.set(key, known);
    for (const sampleMs of samplesMs)
      known.histogram.recordValue(Math.min(HIGHEST_US, Math.max(1, Math.round(sampleMs * 1_000))));
  }

  /** A percentile over all rounds, in milliseconds; null when fewer than ten samples lie above it. */
  percentileMs(variant: string, step: string, share: number): number | null {
    const histogram = this.#histograms.get(`${variant}\n${step}`)?.histogram;
    if (histogram === undefined || (1 - share) * histogram.totalCount < SAMPLES_ABOVE_MIN) return null;
    return histogram.getValueAtPercentile(100 * share) / 1_000;
  }

  encode(): Distribution[] {
    return [...this.#histograms.values()].map(({ variant, step, histogram }) => ({
      variant,
      step,
      samples: histogram.totalCount,
      histogram: encodeIntoCompressedBase64(histogram),
    }));
  }
}

/** Half of the samples are below it, however few they are. */
export function medianMsOf({ histogram }: Distribution): number {
  return decodeFromCompressedBase64(histogram).getValueAtPercentile(50) / 1_000;
}

/** Milliseconds by the share of samples that are larger, from a half down, as far as ten samples lie above. */
export function curveOf({ histogram, samples }: Distribution): { above: number; ms: number }[] {
  const decoded = decodeFromCompressedBase64(histogram);
  return Array.from({ length: SHARES_MAX }, (_, at) => 0.5 / 2 ** at)
    .filter((above) => above * samples >= SAMPLES_ABOVE_MIN)
    .map((above) => ({ above, ms: decoded.getValueAtPercentile(100 * (1 - above)) / 1_000 }));
}

function emptyHistogram(): Histogram {
  return build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: HIGHEST_US,
    numberOfSignificantValueDigits: DIGITS,
  });
}
