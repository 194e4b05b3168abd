import { parseArgs } from 'node:util';

/** A file or folder, or one line of a file. */
export interface Target {
  readonly path: string;
  readonly line: number | undefined;
}

export interface MutationArguments {
  readonly targets: readonly Target[];
  /** A commit, a tag or a date: only lines that changed since. */
  readonly since: string | undefined;
  readonly seed: number;
  /** Mutants to draw: evenly from each area, or from the changed places as one; undefined for all. */
  readonly sample: number | undefined;
  /** No mutant begins after this time. */
  readonly minutes: number | undefined;
  readonly secondsPerMutant: number;
  readonly parallel: number;
  /** Measure the coverage of all test files anew. */
  readonly refresh: boolean;
  /** Take the coverage that is there, and leave out test files that were not measured. */
  readonly measured: boolean;
  /** Only the survivors of the last run. */
  readonly again: boolean;
  /** A file that survivors are written to as they come. */
  readonly survivors: string | undefined;
}

const CHANGED_SAMPLE = '60';

export const USAGE = `npm run mutate -- <file, folder or file:line …> [options]
  --since 7.days.ago       only lines that changed since a date, a commit or a tag, in all files if none is named
  --sample 150             draw so many mutants, evenly from each area (default: all; with --since 60 changed places)
  --seed 1                 another seed draws another sample
  --minutes 60             begin no mutant after this time
  --seconds-per-mutant 120 begin no further test of a mutant after this time
  --parallel 2             mutants at a time
  --again                  only what survived the last run
  --measured               leave out test files whose coverage is not known, instead of measuring it
  --refresh                measure the coverage of every test file anew
  --survivors file.md      also write the survivors there, as they come, and the share at the end`;

/** Throws for what it does not understand. */
export function parseArguments(args: readonly string[]): MutationArguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      since: { type: 'string' },
      seed: { type: 'string', default: '1' },
      sample: { type: 'string' },
      minutes: { type: 'string' },
      'seconds-per-mutant': { type: 'string', default: '120' },
      parallel: { type: 'string', default: '2' },
      refresh: { type: 'boolean', default: false },
      measured: { type: 'boolean', default: false },
      again: { type: 'boolean', default: false },
      survivors: { type: 'string' },
    },
    allowPositionals: true,
  });
  const { since } = values;
  const isEverything = positionals.length === 0 && since !== undefined;
  const paths = isEverything ? ['src', 'relay'] : positionals;
  if (paths.length === 0) throw new Error('name at least one file or folder, or --since');
  const sample = values.sample ?? (since === undefined ? undefined : CHANGED_SAMPLE);
  return {
    targets: paths.map(targetOf),
    since,
    seed: numberOf('seed', values.seed),
    sample: sample === undefined ? undefined : numberOf('sample', sample),
    minutes: values.minutes === undefined ? undefined : numberOf('minutes', values.minutes),
    secondsPerMutant: numberOf('seconds-per-mutant', values['seconds-per-mutant']),
    parallel: numberOf('parallel', values.parallel),
    refresh: values.refresh,
    measured: values.measured,
    again: values.again,
    survivors: values.survivors,
  };
}

function numberOf(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} takes a number from 1`);
  return number;
}

function targetOf(text: string): Target {
  const [, path = text, line] = /^(.*?)(?::(\d+))?$/.exec(text) ?? [];
  return { path: path.replace(/^\.\//, '').replace(/\/$/, ''), line: line ? Number(line) : undefined };
}
