import { type CaseOptions, type CaseResult, type Sizes, sized } from '../cases/case.ts';
import { residentMb } from './resident-size.ts';

/** Equal parts of a run; the first two are warm-up, growth is judged over the others. */
const PARTS = 10;
const WARM_UP_PARTS = 2;
const COUNT_STEP = 1_000;

/** The items of a long run: those of the case, or `--count`, rounded up to whole parts of whole batches. */
export function totalOf(options: CaseOptions, sizes: Sizes<number>): number {
  const { count } = options;
  return count === undefined ? sized(options, sizes) : Math.ceil(count / COUNT_STEP) * COUNT_STEP;
}

export interface LongRun {
  name: string;
  pid: number;
  /** The counted unit, e.g. `requests`. */
  unit: string;
  /** Work over all parts. */
  total: number;
  /** Does this much work. */
  work(count: number): Promise<void>;
}

/** Resident size of a process: idle, at its highest, and after each tenth of much work. Growth means a leak. */
export async function measureLongRun({ name, pid, unit, total, work }: LongRun): Promise<CaseResult> {
  const idleMb = residentMb(pid).nowMb;
  const perPart = total / PARTS;
  const rounds: { residentMb: number; peakMb: number }[] = [];
  for (let part = 0; part < PARTS; part += 1) {
    await work(perPart);
    const { nowMb, peakMb } = residentMb(pid);
    rounds.push({ residentMb: nowMb, peakMb });
  }
  const last = rounds.at(-1) ?? { residentMb: Number.NaN, peakMb: Number.NaN };
  const judged = rounds.slice(WARM_UP_PARTS - 1).map(({ residentMb: size }) => size);
  const idle = { residentMb: idleMb };
  return {
    name: `${name} over ${total.toLocaleString('en')} ${unit}`,
    figures: [
      { name: 'idle', median: idle, rounds: [idle] },
      { name: `after all ${unit}`, median: last, rounds },
    ],
    plot: 'course',
    ratios: {
      'resident size, end / after the second tenth': last.residentMb / (judged[0] ?? Number.NaN),
      'slope after the second tenth, MB per tenth': slope(judged),
      'resident size at the end, MB': last.residentMb,
      'resident size at its highest, MB': last.peakMb,
    },
  };
}

/** Increase from one value to the next, by the least squares line. */
export function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const covariance = values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0);
  return covariance / values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0);
}
