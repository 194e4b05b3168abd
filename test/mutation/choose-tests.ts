import { basename } from 'node:path';
import { hashOf, type TestCoverage } from './coverage-map.ts';
import type { Mutant } from './mutant.ts';
import { blockAt, parseSource } from './source-blocks.ts';

/** A test that is named after the file is tried as if it were this much cheaper. */
const SAME_NAME = 0.02;

/** The test files that execute the mutated place and pass without the mutant, the cheapest and most specific first. */
export function coveringTests(
  { file, start }: Pick<Mutant, 'file' | 'start'>,
  text: string,
  coverage: readonly TestCoverage[],
): TestCoverage[] {
  const hash = hashOf(text);
  const block = blockAt(parseSource(file, text), start);
  const executes = ({ sources }: TestCoverage) => {
    const source = sources[file];
    // Blocks of an earlier text have other numbers.
    return source !== undefined && (source.hash !== hash || source.blocks.includes(block));
  };
  const covering = coverage.filter((test) => test.passes && executes(test));
  return covering.toSorted((a, b) => priority(a, file) - priority(b, file));
}

function priority({ testFile, wallMs, sources }: TestCoverage, file: string): number {
  const isNamed = basename(testFile).startsWith(basename(file, '.ts'));
  return wallMs * Object.keys(sources).length * (isNamed ? SAME_NAME : 1);
}
