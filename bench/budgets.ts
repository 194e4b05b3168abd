import type { CaseResult } from './cases/case.ts';

/** A bound on one ratio of one case. */
export interface Budget {
  case: string;
  /** Name of the ratio in the case's result. */
  ratio: string;
  bound: number;
  direction: 'at least' | 'at most';
  /** The goal of the product, where it is stricter than the present state, which `bound` protects. */
  target?: number;
  /** What the ratio divides by: the least that could do the work. Absent where it divides by no other program. */
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
  const budgets = (await Bun.file(new URL('budgets.json', import.meta.url)).json()) as Budget[];
  for (const { bound, direction, target, reason } of budgets) {
    const isBound = bound > 0 && ['at least', 'at most'].includes(direction);
    const isTarget = target === undefined || (direction === 'at least' ? target > bound : target < bound);
    if (!isBound || !isTarget || !reason) throw new Error('a budget is malformed');
  }
  return budgets;
}

/** Whether a measured median keeps its bound, tolerance included, of which counts have none. NaN never does. */
export function isKept({ bound, direction, isCount }: Budget, median: number): boolean {
  const tolerance = isCount === true ? 0 : TOLERANCE;
  return direction === 'at least' ? median >= bound * (1 - tolerance) : median <= bound * (1 + tolerance);
}

export function describeBudget({ bound, direction, target }: Budget): string {
  return target === undefined ? `${direction} ${bound}` : `${direction} ${bound}, target ${target}`;
}

/** What the ratio divides by, and why it has its bound. */
export function explainBudget({ floor, reason }: Budget): string {
  return floor === undefined ? `${reason}.` : `The floor is ${floor}. ${reason}.`;
}

/** The median of a ratio; NaN when the case does not have it, so that a renamed ratio fails the check. */
export function medianOf(ratios: CaseResult['ratios'], name: string): number {
  const value = ratios[name] ?? null;
  if (value === null) return Number.NaN;
  return typeof value === 'number' ? value : value.median;
}
