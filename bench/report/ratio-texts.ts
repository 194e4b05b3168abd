import { type CaseResult, TOO_FEW_SAMPLES } from '../cases/case.ts';
import { medianMsOf } from '../measurement/distribution.ts';
import { formatNumber } from './scale.ts';

/** No step that keeps up with its rate has such a median; half of a queue that grows for a whole round has. */
export const OVERLOAD_P50_MS = 1_000;
export const OVERLOAD = 'overload: the queue grows for the whole round';

export interface RatioTexts {
  ratio: string;
  median: string;
  /** Lowest and highest round; empty where there are no rounds to compare. */
  rounds: string;
}

/** The ratios of a case as they may be read: no cost below zero, and no latency of an overload without that word. */
export function ratioTexts({ ratios, figures, distributions = [] }: CaseResult): RatioTexts[] {
  const overloaded = [
    ...distributions
      .filter((distribution) => medianMsOf(distribution) > OVERLOAD_P50_MS)
      .map(({ step, variant }) => `, ${step}, ${variant}, ms`),
    ...figures.flatMap(({ name, median }) =>
      Object.entries(median)
        .filter(([figure, ms]) => figure.endsWith('P50Ms') && ms > OVERLOAD_P50_MS)
        .map(([figure]) => `${figure}, ${name} / `),
    ),
  ];
  return Object.entries(ratios).map(([ratio, value]) => {
    if (value === null) return { ratio, median: TOO_FEW_SAMPLES, rounds: '' };
    const { median, min, max, rounds } =
      typeof value === 'number' ? { median: value, min: value, max: value, rounds: [] } : value;
    const text = formatNumber(median);
    const isOverload = overloaded.some((part) => ratio.includes(part));
    // A cost is the difference of two variants: with rounds below zero it says that there is none to be seen.
    const isBelowNoise = ratio.endsWith(', µs') && min < 0;
    return {
      ratio,
      median: isOverload ? `${OVERLOAD} (${text})` : isBelowNoise ? 'below the noise' : text,
      rounds: rounds.length < 2 ? '' : `${formatNumber(min)} to ${formatNumber(max)}`,
    };
  });
}
