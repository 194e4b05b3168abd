import { basename } from 'node:path';
import { hashOf, type TestCoverage } from './coverage-map.ts';
import type { Mutant } from './mutant.ts';
import { blockAt, parseSource } from './source-blocks.ts';

/** A test that is named after the file is tried as if it were this much cheaper, and one that shares a word with its path. */
const SAME_NAME = 0.02;
const SAME_WORD = 0.2;
/** What schemas and routes declare ends in the documents of the api, which this test compares. */
const DECLARATIONS = /(schema|routes)\.ts$/;
const DOCUMENTS_TEST = 'test/contract/openapi.test.ts';
/** Words are compared by their beginnings: streams and stream, webhooks and webhook. */
const STEM = 5;

/** The test files that execute the mutated place or read its file, and pass without the mutant, the cheapest and most specific first. */
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
  const covering = coverage.filter((test) => test.passes && (executes(test) || test.named.includes(file)));
  return covering.toSorted((a, b) => priority(a, file) - priority(b, file));
}

function priority({ testFile, wallMs, sources }: TestCoverage, file: string): number {
  return wallMs * (1 + Object.keys(sources).length) * nearness(testFile, file);
}

function nearness(testFile: string, file: string): number {
  const name = basename(testFile);
  const isNamed = name.startsWith(basename(file, '.ts'));
  if (isNamed || (testFile === DOCUMENTS_TEST && DECLARATIONS.test(file))) return SAME_NAME;
  const words = new Set(stems(file));
  return stems(name).some((word) => words.has(word)) ? SAME_WORD : 1;
}

function stems(path: string): string[] {
  const words = path.split(/[/.-]/).filter((word) => word.length >= STEM && word !== 'features');
  return words.map((word) => word.slice(0, STEM));
}
