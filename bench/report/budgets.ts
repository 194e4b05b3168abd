import type { CaseResult } from '../cases/case.ts';
import type { Spread } from '../measurement/statistics.ts';

/** A bound on one ratio of one case. */
export interface Budget {
  case: string;
  /** Name of the ratio in the case's result. */
  ratio: string;
  bound: number;
  direction: 'at least' | 'at most';
  /** The goal of the product, where it is stricter than the present state, which `bound` protects. */
  target?: number;
  /**
   * The floor by which the ratio divides: the least that could do the work. Absent if it divides by no other program.
   */
  floor?: string;
  /** Counted, not timed: no load on the machine and no length of a run changes it, so CI holds it, without tolerance. */
  isCount?: boolean;
  /** Holds in the steady state of a full run alone: `bench:check` skips it without `--full`. */
  isOfFullRun?: boolean;
  /** Why this bound: what a miss means, and where the number comes from. */
  reason: string;
}

/** A median may miss its bound by this share: repeated runs of one commit differ by as much. */
export const TOLERANCE = 0.05;

/** The committed budgets. Throws when one of them is malformed. */
export async function loadBudgets(): Promise<Budget[]> {
  const budgets = (await Bun.file(new URL('../budgets.json', import.meta.url)).json()) as Budget[];
  for (const { bound, direction, target, reason } of budgets) {
    const isBound = bound > 0 && ['at least', 'at most'].includes(direction);
    const isTarget = target === undefined || (direction === 'at least' ? target > bound : target < bound);
    if (!isBound || !isTarget || !reason) throw new Error('a budget is malformed');
  }
  return budgets;
}

/** A measured value compared with its budget: bound, rounds and target are three facts. */
export interface Judgement {
  /** Share of the bound by which the median misses it: 0 when it keeps it, NaN for a ratio that does not exist. */
  missedBy: number;
  /** There are rounds on both sides of the bound. */
  isWithinRounds: boolean;
  /** Null if the budget has no target. */
  isTargetReached: boolean | null;
}

export function judge({ bound, direction, target }: Budget, value: Spread | number): Judgement {
  const { median, min, max } = typeof value === 'number' ? { median: value, min: value, max: value } : value;
  const beyond = direction === 'at least' ? 1 - median / bound : median / bound - 1;
  const reaches = (wanted: number) => (direction === 'at least' ? median >= wanted : median <= wanted);
  return {
    missedBy: Math.max(0, beyond),
    isWithinRounds: direction === 'at least' ? min < bound && max >= bound : min <= bound && max > bound,
    isTargetReached: target === undefined ? null : reaches(target),
  };
}

/** Whether `bench:check` lets a median pass: within the tolerance, of which counts have none. NaN never does. */
export function passes({ bound, direction, isCount }: Budget, median: number): boolean {
  const tolerance = isCount === true ? 0 : TOLERANCE;
  return direction === 'at least' ? median >= bound * (1 - tolerance) : median <= bound * (1 + tolerance);
}

export function describeBudget({ bound, direction, target }: Budget): string {
  return target === undefined ? `${direction} ${bound}` : `${direction} ${bound}, target ${target}`;
}

/** Replaces a judgement if the figure may not be quoted: readers quote the verdict first. */
export const NO_VERDICT = 'no verdict: not to be quoted';

/** The three facts in words. */
export function describeJudgement(budget: Budget, value: Spread | number): string {
  const { missedBy, isWithinRounds, isTargetReached } = judge(budget, value);
  const within = isWithinRounds ? 'bound within its rounds' : 'bound kept';
  const target = isTargetReached ? ', target reached' : ', target missed';
  return `${missedBy === 0 ? within : describeMiss(budget, value)}${isTargetReached === null ? '' : target}`;
}

function describeMiss(budget: Budget, value: Spread | number): string {
  const { missedBy, isWithinRounds } = judge(budget, value);
  const tolerated = passes(budget, typeof value === 'number' ? value : value.median);
  return [
    `bound missed by ${Number((100 * missedBy).toPrecision(2))} %`,
    ...(isWithinRounds ? [' within its rounds'] : []),
    ...(tolerated ? [` (\`bench:check\` tolerates ${100 * TOLERANCE} %)`] : []),
  ].join('');
}

/** The floor of the ratio, and the reason for its bound. */
export function explainBudget({ floor, reason }: Budget): string {
  return floor === undefined ? `${reason}.` : `The floor is ${floor}. ${reason}.`;
}

/** The median of a ratio; NaN when the case does not have it, so that a renamed ratio fails the check. */
export function medianOf(ratios: CaseResult['ratios'], name: string): number {
  const value = ratios[name] ?? null;
  if (value === null) return Number.NaN;
  return typeof value === 'number' ? value : value.median;
}
