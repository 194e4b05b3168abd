import { expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArguments } from '../mutation/arguments.ts';
import { coveringTests } from '../mutation/choose-tests.ts';
import { createCompileCheck } from '../mutation/compile-check.ts';
import { hashOf, namedFiles, type TestCoverage } from '../mutation/coverage-map.ts';
import { HITS_FILE, readHits, recorderOf } from '../mutation/hit-recorder.ts';
import { judgeMutant } from '../mutation/judge-mutant.ts';
import { equivalentOf, staleEquivalents } from '../mutation/match-equivalent.ts';
import type { Mutant } from '../mutation/mutant.ts';
import { describeNoticed, describeSurvivor, type Outcome, reportByArea } from '../mutation/report.ts';
import { drawPlaces, drawSample } from '../mutation/sample.ts';
import { blockAt, parseSource, recordBlocks } from '../mutation/source-blocks.ts';
import { isMutable } from '../mutation/tree-copy.ts';
import { createTempDir } from '../support/run/temp-dir.ts';

const PROJECT_ROOT = join(import.meta.dir, '..', '..');
const signal = new AbortController().signal;

/** The mutant that puts `replacement` in the place of the first `original`. */
function mutantAt(file: string, text: string, original: string, replacement: string): Mutant {
  const start = text.indexOf(original);
  return { file, start, end: start + original.length, replacement, kind: 'example' };
}

function coverageOf(testFile: string, changes: Partial<TestCoverage> = {}): TestCoverage {
  return { testFile, hash: '', passes: true, wallMs: 100, sources: {}, named: [], ...changes };
}

test('recording keeps lines and behaviour and names the blocks that were executed', async () => {
  const file = 'src/example.ts';
  const text = `export const pick = (a: number) => (a > 1 ? double(a) : { none: true });
function double(a: number) {
  if (a > 100) return a;
  else if (a > 50) { return -a; }
  switch (a) { case 2: return 4; default: }
  for (let i = 0; i < 1; i++) a += a;
  return a;
}
`;
  const source = parseSource(file, text);
  const folder = createTempDir('recorded');
  const recorder = join(PROJECT_ROOT, 'test', 'mutation', 'hit-recorder.ts');
  const recorded = recordBlocks(source, recorder);
  expect(recorded.split('\n')).toHaveLength(text.split('\n').length);
  writeFileSync(join(folder, 'example.ts'), recorded);
  writeFileSync(join(folder, 'hits.txt'), '');
  const program = `import { pick } from './example.ts'; console.log(JSON.stringify([pick(3), pick(0)]));`;
  writeFileSync(join(folder, 'program.ts'), program);
  const env = { ...process.env, [HITS_FILE]: join(folder, 'hits.txt') };
  const printed = execFileSync(process.execPath, [join(folder, 'program.ts')], { env, encoding: 'utf8' });
  expect(JSON.parse(printed)).toEqual([6, { none: true }]);
  const hits = readHits(readFileSync(join(folder, 'hits.txt'), 'utf8')).get(file);
  const wasExecuted = (part: string) => hits?.has(blockAt(source, text.indexOf(part)));
  expect(['a > 1 ?', 'a > 100', 'a += a'].map(wasExecuted)).toEqual([true, true, true]);
  expect(['return a;\n  else', 'return -a', 'return 4'].map(wasExecuted)).toEqual([false, false, false]);
});

test('each block is recorded once, at once, and only where a run asks for it', () => {
  const hitsFile = join(createTempDir('hits'), 'hits.txt');
  const before = process.env[HITS_FILE];
  try {
    delete process.env[HITS_FILE];
    recorderOf('src/silent.ts')(1);
    process.env[HITS_FILE] = hitsFile;
    const record = recorderOf('src/a.ts');
    record(2);
    record(2);
    expect(readFileSync(hitsFile, 'utf8')).toBe('src/a.ts:0\nsrc/a.ts:2\n');
  } finally {
    if (before === undefined) delete process.env[HITS_FILE];
    else process.env[HITS_FILE] = before;
  }
});

test('the tests of a mutant are those that execute its block or read its file, the cheapest and most specific first', () => {
  const text = 'function a() { return 1; } function b() { return 2; }';
  const hash = hashOf(text);
  const a = { 'src/file.ts': { hash, blocks: [0, 1] } };
  const both = { 'src/file.ts': { hash, blocks: [0, 1, 2] }, 'src/other.ts': { hash, blocks: [0] } };
  const coverage = [
    coverageOf('test/unit/wide.test.ts', { sources: both }),
    coverageOf('test/unit/slow.test.ts', { sources: a, wallMs: 9000 }),
    coverageOf('test/unit/file.test.ts', { sources: a, wallMs: 2000 }),
    coverageOf('test/unit/broken.test.ts', { sources: a, passes: false }),
    coverageOf('test/unit/outdated.test.ts', {
      sources: { 'src/file.ts': { hash: 'x', blocks: [] } },
      wallMs: 9999,
    }),
  ];
  const names = (part: string) =>
    coveringTests({ file: 'src/file.ts', start: text.indexOf(part) }, text, coverage).map(
      ({ testFile }) => testFile,
    );
  expect(names('1')).toEqual([
    'test/unit/file.test.ts',
    'test/unit/wide.test.ts',
    'test/unit/slow.test.ts',
    'test/unit/outdated.test.ts',
  ]);
  expect(names('2')).toEqual(['test/unit/wide.test.ts', 'test/unit/outdated.test.ts']);
  const reading = coverageOf('test/unit/reading.test.ts', { named: ['src/file.ts'] });
  expect(coveringTests({ file: 'src/file.ts', start: 0 }, text, [reading])).toEqual([reading]);
  const sample = `import '../../src/a.ts'; read('src/b.ts', "relay/c.ts"); // src/d.ts`;
  expect(namedFiles(sample)).toEqual(['src/b.ts', 'relay/c.ts']);
  const place = { file: 'src/features/streams/schema.ts', start: 0 };
  const sources = { [place.file]: { hash, blocks: [0] } };
  const order = ['unit/a', 'unit/stream-reader', 'contract/openapi'].map((name) =>
    coverageOf(`test/${name}.test.ts`, { sources }),
  );
  expect(coveringTests(place, text, order)).toEqual(order.toReversed());
});

test('a mutant is killed by the first test that fails, survives those that pass, and its file is restored', async () => {
  const copy = join(createTempDir('judged'), 'copy');
  mkdirSync(join(copy, 'src'), { recursive: true });
  mkdirSync(join(copy, 'test'));
  const text = 'export const isOpen = (a: number) => a < 5;\n';
  const file = 'src/open.ts';
  writeFileSync(join(copy, file), text);
  const testText = (a: number) =>
    `import { expect, test } from 'bun:test'; import { isOpen } from '../src/open.ts'; test('a', () => expect(isOpen(${a})).toBe(${a < 5}));`;
  writeFileSync(join(copy, 'test/blunt.test.ts'), testText(1));
  writeFileSync(join(copy, 'test/sharp.test.ts'), testText(5));
  const sources = { [file]: { hash: hashOf(text), blocks: [0, 1] } };
  const blunt = coverageOf('test/blunt.test.ts', { sources, wallMs: 1 });
  const sharp = coverageOf('test/sharp.test.ts', { sources, wallMs: 2 });
  const options = { environment: {}, limitMs: 60_000, signal };
  const mutant = mutantAt(file, text, '<', '<=');
  const judge = (coverage: TestCoverage[], limitMs = 60_000) =>
    judgeMutant(copy, mutant, { ...options, coverage, limitMs });
  const noticed = await judge([blunt, sharp]);
  expect(noticed).toMatchObject({ verdict: 'killed', ran: ['test/blunt.test.ts', 'test/sharp.test.ts'] });
  expect(describeNoticed(text, noticed)).toBe('killed in test/sharp.test.ts: src/open.ts:1 (example)');
  const survivor = await judge([blunt]);
  expect(survivor).toMatchObject({ verdict: 'survived', leftOut: 0 });
  expect(describeSurvivor(text, survivor).split('\n')).toEqual([
    'src/open.ts:1 (example)',
    '  - export const isOpen = (a: number) => a < 5;',
    '  + export const isOpen = (a: number) => a <= 5;',
    '  tests: test/blunt.test.ts',
  ]);
  expect(await judge([blunt, sharp], -1)).toMatchObject({ verdict: 'survived', ran: [], leftOut: 2 });
  expect(readFileSync(join(copy, file), 'utf8')).toBe(text);
});

test('a mutant that the compiler refuses is none', () => {
  const file = 'src/shared/base58.ts';
  const { accepts } = createCompileCheck(PROJECT_ROOT, [file]);
  const text = readFileSync(join(PROJECT_ROOT, file), 'utf8');
  const end = { file, start: text.length, end: text.length, kind: 'example' };
  expect(accepts({ ...end, replacement: "const wrong: number = 'text';" })).toBe(false);
  expect(accepts({ ...end, replacement: 'const right: number = 1;' })).toBe(true);
});

test('a sample is the same for the same seed, and takes equally from the areas as far as they have mutants', () => {
  const mutant = (file: string, start: number): Mutant => ({
    file,
    start,
    end: start,
    replacement: '',
    kind: 'x',
  });
  const many = Array.from({ length: 50 }, (_, start) => mutant('relay/a.ts', start));
  const few = [mutant('src/http/b.ts', 1), mutant('src/http/b.ts', 2)];
  const draw = (seed: number) =>
    drawSample([...many, ...few], { count: 10, seed, accepts: ({ start }) => start !== 2 });
  const areas = Map.groupBy(draw(1), ({ file }) => file);
  expect([areas.get('relay/a.ts')?.length, areas.get('src/http/b.ts')?.length]).toEqual([9, 1]);
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
});

test('places are drawn as often as any other, however many mutants they have, and the same for the same seed', () => {
  const mutant = (start: number, kind: string): Mutant => ({
    file: `src/${start % 3}.ts`,
    start,
    end: start,
    replacement: '',
    kind,
  });
  const mutants = Array.from({ length: 20 }, (_, start) => [
    mutant(start, 'refused'),
    ...Array.from({ length: start < 10 ? 9 : 1 }, () => mutant(start, 'accepted')),
  ]).flat();
  const draw = (seed: number, count = 10) =>
    drawPlaces(mutants, { count, seed, accepts: ({ kind }) => kind === 'accepted' });
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
  expect(draw(1, 99).map(({ start }) => start)).toBeArrayOfSize(20);
  const drawn = Array.from({ length: 200 }, (_, seed) => draw(seed)).flat();
  expect(new Set(drawn.map(({ kind }) => kind))).toEqual(new Set(['accepted']));
  const crowded = drawn.filter(({ start }) => start < 10).length / drawn.length;
  expect(crowded).toBeGreaterThan(0.4);
  expect(crowded).toBeLessThan(0.6);
});

test('an equivalent mutant is named by its lines, and every name belongs to a mutant that exists', () => {
  const text = '\n\nconst a =\n  b < c;\n';
  const entry = { file: 'src/a.ts', original: 'b < c;', mutated: 'b <= c;', reason: 'an example' };
  expect(equivalentOf(text, mutantAt('src/a.ts', text, '<', '<='), [entry])).toBe(entry);
  expect(equivalentOf(text, mutantAt('src/a.ts', text, '<', '>'), [entry])).toBeUndefined();
  expect(staleEquivalents(PROJECT_ROOT)).toEqual([]);
  const gone = { ...entry, file: 'src/shared/base58.ts' };
  expect(staleEquivalents(PROJECT_ROOT, [gone])).toEqual([gone]);
});

test('the report counts by area, and equivalent mutants are no part of the share', () => {
  const mutant = mutantAt('relay/a.ts', 'a < b', '<', '<=');
  const judged = (verdict: 'killed' | 'timed out' | 'survived'): Outcome => ({
    mutant,
    verdict,
    ran: [],
    leftOut: 0,
  });
  const outcomes: Outcome[] = [
    judged('killed'),
    judged('killed'),
    judged('timed out'),
    judged('survived'),
    { mutant, verdict: 'equivalent', reason: '' },
  ];
  expect(reportByArea(outcomes).split('\n')).toEqual([
    'area   killed  timed out  survived  equivalent  noticed',
    'relay       2          1         1           1     75 %',
    'all         2          1         1           1     75 %',
  ]);
});

test('paths may name a line, and what is not understood is refused', () => {
  const { targets, parallel } = parseArguments(['src/a.ts:12', './relay/', '--parallel', '3']);
  expect(targets).toEqual([
    { path: 'src/a.ts', line: 12 },
    { path: 'relay', line: undefined },
  ]);
  expect(parallel).toBe(3);
  expect(parseArguments(['--since', '7 days ago'])).toMatchObject({
    targets: [
      { path: 'src', line: undefined },
      { path: 'relay', line: undefined },
    ],
    since: '7 days ago',
    sample: 60,
  });
  expect(parseArguments(['relay', '--since', 'v1', '--sample', '5'])).toMatchObject({
    targets: [{ path: 'relay', line: undefined }],
    sample: 5,
  });
  expect(() => parseArguments([])).toThrow('name at least one file or folder, or --since');
  expect(() => parseArguments(['src', '--sample', '0'])).toThrow('--sample takes a number from 1');
  expect(['src/a.ts', 'relay/a.ts', 'test/a.ts', 'src/a.css'].map(isMutable)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('the weekly draw takes 60 places of the code of the last week, with another seed each week', () => {
  const workflow = readFileSync(join(PROJECT_ROOT, '.github/workflows/mutation.yml'), 'utf8');
  expect(workflow).toMatch(/cron: "\d+ \d+ \* \* \d"/);
  const defaultOf = (name: string) =>
    new RegExp(`\\{\\{ inputs.${name} \\|\\| '([^']+)' }}`).exec(workflow)?.[1];
  const [since = '', sample = ''] = ['since', 'sample'].map(defaultOf);
  expect(workflow).toMatch(/seed=.*SEED:-.*date -u \+%G%V/);
  const words = /npm run mutate -- (.*)/.exec(workflow)?.[1]?.split(' ') ?? [];
  const values: Record<string, string> = { '"$SINCE"': since, '"$SAMPLE"': sample, '"$seed"': '202648' };
  expect(parseArguments(words.map((word) => values[word] ?? word))).toMatchObject({
    since: '7 days ago',
    sample: 60,
    seed: 202_648,
  });
});
