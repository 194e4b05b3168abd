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
}

/** A median may miss its bound by this share: repeated runs of one commit differ by as much. */
export const TOLERANCE = 0.05;

/** The committed budgets. Throws when one of them is malformed. */
export async function loadBudgets(): Promise<Budget[]> {
  const budgets = (await Bun.file(new URL('budgets.json', import.meta.url)).json()) as Budget[];
  for (const { bound, direction, target } of budgets) {
    const isBound = bound > 0 && ['at least', 'at most'].includes(direction);
    const isTarget = target === undefined || (direction === 'at least' ? target > bound : target < bound);
    if (!isBound || !isTarget) throw new Error('a budget is malformed');
  }
  return budgets;
}

/** Whether a measured median keeps its bound, tolerance included. NaN never does. */
export function isKept({ bound, direction }: Budget, median: number): boolean {
  return direction === 'at least' ? median >= bound * (1 - TOLERANCE) : median <= bound * (1 + TOLERANCE);
}

export function describeBudget({ bound, direction, target }: Budget): string {
  return target === undefined ? `${direction} ${bound}` : `${direction} ${bound}, target ${target}`;
}

/** The median of a ratio; NaN when the case does not have it, so that a renamed ratio fails the check. */
export function medianOf(ratios: CaseResult['ratios'], name: string): number {
  const value = ratios[name] ?? null;
  if (value === null) return Number.NaN;
  return typeof value === 'number' ? value : value.median;
}
