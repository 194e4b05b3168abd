import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from './arguments.ts';
import type { ChangedLines } from './changed-lines.ts';
import { listMutants } from './list-mutants.ts';
import { changedLines, lineOf, type Mutant } from './mutant.ts';
import { parseSource } from './source-blocks.ts';

/** A mutant by its text: where it is found after lines have moved. */
export interface MutantKey {
  readonly file: string;
  readonly original: string;
  readonly mutated: string;
}

/** The files that the targets name, in order. Throws for a target that names none. */
export function targetFiles(targets: readonly Target[], mutable: readonly string[]): string[] {
  const chosen = new Set<string>();
  for (const { path } of targets) {
    const files = mutable.filter((file) => file === path || file.startsWith(`${path}/`));
    if (files.length === 0) throw new Error(`${path} is no TypeScript file or folder of src/ or relay/`);
    for (const file of files) chosen.add(file);
  }
  return [...chosen].sort();
}

/** The mutants of the files at the lines that the targets name. */
export function targetMutants(root: string, files: readonly string[], targets: readonly Target[]): Mutant[] {
  return files.flatMap((file) => {
    const source = parseSource(file, readFileSync(join(root, file), 'utf8'));
    const wanted = targets.filter(({ path }) => file === path || file.startsWith(`${path}/`));
    return listMutants(source).filter((mutant) =>
      wanted.some(({ line }) => line === undefined || line === lineOf(source, mutant)),
    );
  });
}

/** The mutants of which a line has changed. */
export function changedMutants(root: string, mutants: readonly Mutant[], changed: ChangedLines): Mutant[] {
  const files = Map.groupBy(mutants, ({ file }) => file);
  return [...files].flatMap(([file, own]) => {
    const lines = changed.get(file) ?? new Set();
    const source = parseSource(file, readFileSync(join(root, file), 'utf8'));
    const numberAt = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
    return own.filter(({ start, end }) => {
      const [first, last] = [numberAt(start), numberAt(end)];
      return Array.from({ length: last - first + 1 }, (_, at) => first + at).some((line) => lines.has(line));
    });
  });
}

export function keyOf(text: string, mutant: Mutant): MutantKey {
  return { file: mutant.file, ...changedLines(text, mutant) };
}

export function isSameMutant(a: MutantKey, b: MutantKey): boolean {
  return a.file === b.file && a.original === b.original && a.mutated === b.mutated;
}
