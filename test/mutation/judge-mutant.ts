import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { coveringTests } from './choose-tests.ts';
import type { TestCoverage } from './coverage-map.ts';
import { type Mutant, mutatedText } from './mutant.ts';
import { runTestFile } from './run-test-file.ts';

export type Verdict = 'killed' | 'timed out' | 'survived';

export interface Judgement {
  readonly mutant: Mutant;
  readonly verdict: Verdict;
  /** The test files that ran; the last one is the one that killed. */
  readonly ran: readonly string[];
  /** Covering test files that the time for one mutant did not allow. */
  readonly leftOut: number;
}

interface JudgeOptions {
  readonly coverage: readonly TestCoverage[];
  readonly environment: Readonly<Record<string, string>>;
  /** Time for all tests of one mutant: none begins after it. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** A test that takes longer than this many times its time without a mutant does not end. */
const SLOWER_MAX = 5;
/** Short tests get more: the machine may be busy. */
const TEST_LIMIT_MIN_MS = 60_000;

/** Runs the covering tests on the mutated copy until one fails, and restores the copy. */
export async function judgeMutant(copy: string, mutant: Mutant, options: JudgeOptions): Promise<Judgement> {
  const { coverage, environment, limitMs, signal } = options;
  const path = join(copy, mutant.file);
  const text = readFileSync(path, 'utf8');
  const tests = coveringTests(mutant, text, coverage);
  const startedAtMs = performance.now();
  const ran: string[] = [];
  writeFileSync(path, mutatedText(text, mutant));
  try {
    for (const { testFile, wallMs } of tests) {
      if (performance.now() - startedAtMs > limitMs) break;
      ran.push(testFile);
      const testLimitMs = Math.max(TEST_LIMIT_MIN_MS, SLOWER_MAX * wallMs);
      const run = await runTestFile(testFile, { folder: copy, environment, limitMs: testLimitMs, signal });
      if (run.verdict !== 'passed')
        return { mutant, verdict: run.verdict === 'failed' ? 'killed' : run.verdict, ran, leftOut: 0 };
    }
    return { mutant, verdict: 'survived', ran, leftOut: tests.length - ran.length };
  } finally {
    writeFileSync(path, text);
  }
}
