import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSameMutant, keyOf } from './choose-mutants.ts';
import { type EquivalentMutant, equivalentMutants } from './equivalent.ts';
import { listMutants } from './list-mutants.ts';
import type { Mutant } from './mutant.ts';
import { parseSource } from './source-blocks.ts';

/** The entry that names the mutant; undefined when none does. */
export function equivalentOf(
  text: string,
  mutant: Mutant,
  entries: readonly EquivalentMutant[] = equivalentMutants,
): EquivalentMutant | undefined {
  const key = keyOf(text, mutant);
  return entries.find((entry) => isSameMutant(entry, key));
}

/** Entries that name no mutant any more, because the code has changed. */
export function staleEquivalents(
  root: string,
  entries: readonly EquivalentMutant[] = equivalentMutants,
): EquivalentMutant[] {
  const files = Map.groupBy(entries, ({ file }) => file);
  return [...files].flatMap(([file, named]) => {
    const text = readFileSync(join(root, file), 'utf8');
    const mutants = listMutants(parseSource(file, text));
    const matched = new Set(mutants.map((mutant) => equivalentOf(text, mutant, named)));
    return named.filter((entry) => !matched.has(entry));
  });
}
