import type { Machine } from '../measurement/machine.ts';
import type { ResultFile } from './results.ts';

/** Load average above which something else was running. */
const LOAD_MAX = 0.5;
const ONE_ROUND = '1 round';

/** Whether something else was running before the run. */
export function isBusy({ loadBefore }: Pick<Machine, 'loadBefore'>): boolean {
  return loadBefore > LOAD_MAX;
}

/** The doubt of a busy machine, if it was one. */
export function busyDoubt(machine: Pick<Machine, 'loadBefore'>): string[] {
  return isBusy(machine) ? [`busy machine (load ${machine.loadBefore.toFixed(2)})`] : [];
}

/**
 * Why the figures of a run may not be quoted; empty where they may. What other programs do changes no figure of the
 * cases in `undisturbed`.
 */
export function doubtsOf(
  { machine, options }: Pick<ResultFile, 'machine' | 'options'>,
  isUndisturbed = false,
): string[] {
  return [
    ...(options.rounds === 1 ? [ONE_ROUND] : []),
    ...(options.quick ? ['quick'] : []),
    ...(isUndisturbed ? [] : busyDoubt(machine)),
  ];
}

export function isQuotable(run: Pick<ResultFile, 'machine' | 'options'>, isUndisturbed: boolean): boolean {
  return doubtsOf(run, isUndisturbed).length === 0;
}

export function describeDoubts(doubts: readonly string[]): string {
  const verdict = doubts.includes(ONE_ROUND) ? 'says nothing, not to be quoted' : 'not to be quoted';
  return `${doubts.join(', ')}: ${verdict}`;
}
