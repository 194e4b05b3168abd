import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HITS_FILE, readHits } from './hit-recorder.ts';
import { runTestFile } from './run-test-file.ts';

/** What one test file executes, its child processes included. */
export interface TestCoverage {
  readonly testFile: string;
  /** The hash of the test file's text: another text has to be measured anew. */
  readonly hash: string;
  /** A test that fails without a mutant proves nothing with one. */
  readonly passes: boolean;
  readonly wallMs: number;
  readonly sources: Readonly<Record<string, { readonly hash: string; readonly blocks: readonly number[] }>>;
  /** Files that the test names as texts: it may read them, and executes none of them. */
  readonly named: readonly string[];
}

/** Not committed: it holds for the tree on this machine. */
const MAP_FOLDER = '.sandbox/mutation/coverage';
/** A test file that takes longer than this is left out. */
const LIMIT_MS = 300_000;

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** The files of the product in quotes. Imports begin with a dot. */
export function namedFiles(text: string): string[] {
  return [...text.matchAll(/['"`]((?:src|relay)\/[\w/.-]+\.ts)['"`]/g)].map(([, file = '']) => file);
}

/** The stored coverage of the test files whose text has not changed since. */
export function readCoverage(root: string, testFiles: readonly string[]): TestCoverage[] {
  return testFiles.flatMap((testFile) => {
    const path = entryPath(root, testFile);
    if (!existsSync(path)) return [];
    const coverage: TestCoverage = JSON.parse(readFileSync(path, 'utf8'));
    const text = readFileSync(join(root, testFile), 'utf8');
    return coverage.hash === hashOf(text) ? [{ ...coverage, named: namedFiles(text) }] : [];
  });
}

interface RecordingCopy {
  readonly folder: string;
  /** The source files as they were before they recorded. */
  readonly texts: ReadonlyMap<string, string>;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Runs the test file in the recording copy and stores for `root` what it executed. */
export async function measureCoverage(
  root: string,
  testFile: string,
  { folder, texts, environment, signal }: RecordingCopy,
): Promise<TestCoverage> {
  const hitsFile = join(folder, '..', `hits-${hashOf(testFile)}.txt`);
  writeFileSync(hitsFile, '');
  const run = await runTestFile(testFile, {
    folder,
    environment: { ...environment, [HITS_FILE]: hitsFile },
    limitMs: LIMIT_MS,
    signal,
  });
  const sources = [...readHits(readFileSync(hitsFile, 'utf8'))].map(([file, blocks]) => {
    const hash = hashOf(texts.get(file) ?? '');
    return [file, { hash, blocks: [...blocks].sort((a, b) => a - b) }] as const;
  });
  const text = readFileSync(join(folder, testFile), 'utf8');
  const coverage: TestCoverage = {
    testFile,
    hash: hashOf(text),
    passes: run.verdict === 'passed',
    wallMs: Math.round(run.wallMs),
    sources: Object.fromEntries(sources),
    named: namedFiles(text),
  };
  mkdirSync(join(root, MAP_FOLDER), { recursive: true });
  writeFileSync(entryPath(root, testFile), JSON.stringify(coverage));
  return coverage;
}

function entryPath(root: string, testFile: string): string {
  return join(root, MAP_FOLDER, `${testFile.replaceAll('/', '+')}.json`);
}
