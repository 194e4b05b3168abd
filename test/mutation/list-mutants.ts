import type ts from 'typescript';
import { codeMutants } from './code-mutants.ts';
import type { Mutant } from './mutant.ts';
import { sqlMutants } from './sql-mutants.ts';

/** All mutants of a file in the order of their places. Not all of them compile. */
export function listMutants(source: ts.SourceFile): Mutant[] {
  const all = [...codeMutants(source), ...sqlMutants(source)];
  return all.sort((a, b) => a.start - b.start || a.end - b.end);
}
