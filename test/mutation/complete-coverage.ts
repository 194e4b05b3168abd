import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { measureCoverage, readCoverage, type TestCoverage } from './coverage-map.ts';
import { inParallel } from './in-parallel.ts';
import { projectFiles, recordCopy } from './tree-copy.ts';
import type { Workshop } from './workshop.ts';

/** New files have no time yet, and most of them are short. */
const UNTIMED_MS = 3_000;

interface CoverageOptions {
  readonly refresh: boolean;
  readonly measured: boolean;
  readonly parallel: number;
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
}

/** The coverage of all test files. What is not known yet is measured, the quickest files first. */
export async function completeCoverage(
  root: string,
  workshop: Workshop,
  { refresh, measured, parallel, signal, print }: CoverageOptions,
): Promise<TestCoverage[]> {
  const testFiles = projectFiles(root).filter((file) => /^test\/.*\.test\.ts$/.test(file));
  const known = refresh ? [] : readCoverage(root, testFiles);
  const names = new Set(known.map(({ testFile }) => testFile));
  const unknown = testFiles.filter((file) => !names.has(file));
  if (unknown.length === 0) return known;
  if (measured) {
    print(
      `the coverage of ${unknown.length} of ${testFiles.length} test files is not known: they are left out`,
    );
    return known;
  }
  print(`measures the coverage of ${unknown.length} test files`);
  const { files: timings }: { files: Record<string, number> } = JSON.parse(
    readFileSync(join(root, '.config/test-timings.json'), 'utf8'),
  );
  const timeOf = (file: string) => timings[file] ?? UNTIMED_MS;
  const folder = workshop.newCopy();
  const recording = { folder, texts: recordCopy(folder), environment: workshop.environment, signal };
  const coverage = [...known];
  const work = async (testFile: string) => {
    coverage.push(await measureCoverage(root, testFile, recording));
  };
  const byTime = unknown.sort((a, b) => timeOf(a) - timeOf(b));
  await inParallel(byTime, parallel, { work, isOver: () => signal.aborted });
  const failing = coverage.filter(({ passes }) => !passes).map(({ testFile }) => testFile);
  if (failing.length > 0) print(`fail without a mutant and are left out: ${failing.join(', ')}`);
  return coverage;
}
