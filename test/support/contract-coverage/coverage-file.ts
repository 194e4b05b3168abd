import { appendFileSync, readFileSync } from 'node:fs';
import { atEnd } from '../run/cleanup.ts';

/**
 * The variable that names the file in which test processes write what they have seen. If it is unset, `test/run.ts` sets
 * it, and removes the file. If it is set, the file stays, so that several runs fill it.
 */
export const COVERAGE_FILE = 'TEST_CONTRACT_COVERAGE';

/** Writes the lines when the test file ends. */
export function writeAtEnd(linesOf: () => readonly string[]): void {
  const file = process.env[COVERAGE_FILE];
  if (file !== undefined) atEnd(async () => appendFileSync(file, `${linesOf().join('\n')}\n`));
}

export function readCoverage(file: string): ReadonlySet<string> {
  return new Set(readFileSync(file, 'utf8').split('\n'));
}
