import { appendFileSync, readFileSync } from 'node:fs';
import { atEnd } from '../run/cleanup.ts';

/**
 * The file in which test processes say what they have seen. `test/run.ts` sets this variable; set by hand, it keeps the
 * file, so that several runs fill it.
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
