import { expect, test } from 'bun:test';
import type { CaseResult } from '../../bench/cases/case.ts';
import { describeCase } from '../../bench/describe-case.ts';
import { Distributions } from '../../bench/measurement/distribution.ts';
import { spreadOf } from '../../bench/measurement/statistics.ts';
import { registry, undisturbed } from '../../bench/registry.ts';
import { type Budget, loadBudgets } from '../../bench/report/budgets.ts';
import { describeDoubts, doubtsOf } from '../../bench/report/doubts.ts';
import { figuresPage } from '../../bench/report/figures-page.ts';
import { reportPage } from '../../bench/report/page.ts';
import { loadResults, type ResultFile } from '../../bench/report/results.ts';
import { decadeTicks, formatNumber, linearTicks } from '../../bench/report/scale.ts';

const HOSTILE = `<script>alert("1")</script>'&`;

function run(commit: string, value: number): ResultFile {
  const figures = [HOSTILE, 'limit'].map((name) => {
    const median = { requestsPerSecond: value, p50Ms: 1, p99Ms: value, maxMs: 3 };
    return { name, median, rounds: [median] };
  });
  return {
    machine: {
      cpu: HOSTILE,
      cores: 2,
      memoryGiB: 4,
      bun: '1',
      node: '2',
      postgres: '17',
      commit,
      date: '2026-11-20T00:00:00.000Z',
      loadBefore: 0,
    },
    options: { rounds: 1, roundMs: 1, quick: true, seed: 1 },
    results: {
      [HOSTILE]: { name: HOSTILE, figures, ratios: { [HOSTILE]: spreadOf([value]), plain: value } },
    },
  };
}

/** The same as a run that may be quoted. */
function quotableRun(commit: string, value: number): ResultFile {
  const one = run(commit, value);
  return { ...one, options: { ...one.options, rounds: 5, quick: false } };
}

/** The report with every case of the history. */
function page(history: readonly ResultFile[], budgets: readonly Budget[]): string {
  return reportPage(history, budgets, casesOf(history), new Set());
}

function casesOf(history: readonly ResultFile[]): string[] {
  return [...new Set(history.flatMap(({ results }) => Object.keys(results)))];
}

test('the report escapes every text and loads nothing from the network', () => {
  const html = page([run('aaa', 1), run(HOSTILE, 2)], []);
  expect(html).not.toContain('<script');
  expect(html).not.toMatch(/alert\("/);
  expect(html).not.toMatch(/(src|href)="(?!#)|url\(|@import/);
  expect(html).toContain('&#60;script&#62;');
});

test('the report shows plots, history, and which budgets are missed', () => {
  const budget = {
    case: HOSTILE,
    ratio: 'plain',
    bound: 5,
    direction: 'at least',
    floor: 'a bare server',
    reason: 'Protects reads',
  } as const;
  const html = page([quotableRun('aaa', 1), quotableRun('bbb', 2)], [budget]);
  expect(html.match(/<svg /g)).toHaveLength(3);
  expect(html).toContain('History of the ratios');
  expect(html).toContain('class="missed">at least 5: bound missed by 60 %<');
  expect(html).toContain('The floor is a bare server. Protects reads.');
  expect(page([quotableRun('aaa', 9)], [budget])).toContain('class="kept">at least 5: bound kept<');
  const spread = { ...budget, ratio: HOSTILE, bound: 1, target: 3 };
  const results = { [HOSTILE]: { name: 'a', figures: [], ratios: { [HOSTILE]: spreadOf([0.9, 2, 2]) } } };
  expect(page([{ ...quotableRun('aaa', 1), results }], [spread])).toContain(
    'class="within">at least 1, target 3: bound within its rounds, target missed<',
  );
  expect(page([run('aaa', 9)], [budget])).toContain('<td>at least 5; no verdict: not to be quoted</td>');
  expect(html).not.toMatch(/NaN|undefined|Infinity/);
});

test('a percentile with too few samples is reported as such', () => {
  const results = { 'http/a': { name: 'a', figures: [], ratios: { 'p99, ours / bare': null } } };
  const budget = {
    case: 'http/a',
    ratio: 'p99, ours / bare',
    bound: 2,
    direction: 'at most',
    reason: 'r',
  } as const;
  const html = page([{ ...run('aaa', 1), results }], [budget]);
  expect(html).toContain('<td>too few samples</td><td></td><td>at most 2</td>');
});

test('whole distributions are drawn, a plot for each step with a line for each variant', () => {
  const distributions = new Distributions();
  for (const variant of ['ours', HOSTILE])
    for (const step of ['due → answer', 'due → node'])
      distributions.record(
        variant,
        step,
        Array.from({ length: 400 }, (_, at) => at + 1),
      );
  distributions.record('ours', 'too short', [1, 2, 3]);
  const results = {
    'pipeline/a': { name: 'a', figures: [], ratios: {}, distributions: distributions.encode() },
  };
  const html = page([{ ...run('aaa', 1), results }], []);
  expect(html.match(/<figcaption>Distribution of [^,]*/g)).toEqual([
    '<figcaption>Distribution of due → answer',
    '<figcaption>Distribution of due → node',
  ]);
  expect(html.match(/<polyline/g)).toHaveLength(4);
  expect(html).toContain('<title>ours: 200</title>');
  expect(html).not.toContain('<script');
  expect(html).not.toMatch(/NaN|undefined|Infinity/);
});

test('sizes of the data and courses of a run are drawn as lines', () => {
  const rounds = [
    { firstUs: 10, secondUs: 20 },
    { firstUs: 11, secondUs: 19 },
  ];
  const figures = ['10 rows', '100 rows'].map((name) => ({ name, median: rounds[0] ?? {}, rounds }));
  const drawn = (plot: 'sizes' | 'course') =>
    page([{ ...run('aaa', 1), results: { 'scale/rows': { name: 'rows', figures, plot, ratios: {} } } }], []);
  expect(drawn('sizes').match(/<polyline /g)).toHaveLength(2);
  expect(drawn('sizes')).toContain('>100 rows</text>');
  expect(drawn('course').match(/<svg /g)).toHaveLength(2);
  expect(drawn('course')).toContain('Course of the run, 100 rows');
});

test('labels of a long history do not overlap, and the newest is shown', () => {
  const history = Array.from({ length: 40 }, (_, at) => run(`${at}+changes`, at + 1));
  const html = page(history, []);
  const labels = [...html.matchAll(/>(\d+\+changes)<\/text>/g)].map(([, label]) => label);
  expect(labels.length).toBeLessThan(10);
  expect(labels.at(-1)).toBe('39+changes');
});

test('axes cover their values', () => {
  expect(linearTicks(7_400)).toEqual([0, 2_000, 4_000, 6_000, 8_000]);
  expect(linearTicks(0)).toEqual([0, 1]);
  expect(decadeTicks([0.2, 30])).toEqual([0.1, 1, 10, 100]);
  expect(decadeTicks([0])).toEqual([0.1, 1]);
  expect([12_345.6, 0.04567, 1.5, 0].map(formatNumber)).toEqual(['12,346', '0.0457', '1.50', '0']);
});

test('a case that the newest run does not have comes from the last run that has it, with its commit', () => {
  const [older, old, newest] = [run('aaa', 1), run('bbb', 2), run('ccc', 3)];
  older.results = { 'http/a': older.results[HOSTILE] ?? expect.unreachable() };
  old.results = {
    'http/a': old.results[HOSTILE] ?? expect.unreachable(),
    'http/gone': { name: 'gone', figures: [], ratios: {} },
  };
  const history = [older, old, newest];
  const html = reportPage(history, [], [HOSTILE, 'http/a'], new Set());
  expect(html.match(/<section /g)).toHaveLength(2);
  expect(html).toContain('commit bbb');
  expect(html).not.toContain('http/gone');
  const figures = figuresPage(history, [], {
    cases: [HOSTILE, 'http/a', 'http/never'],
    undisturbed: new Set(),
    ages: new Map([['bbb', 12]]),
  });
  expect(figures.match(/^## .*/gm)).toEqual([
    '## 2026-11-20, ccc: 1 round, quick, not to be quoted',
    '## 2026-11-20, bbb: 1 round, quick, not to be quoted',
  ]);
  expect(figures).toContain(
    'commit bbb (12 commits old when this page was written), seed 1, 1 round of 1 ms',
  );
  expect(figures).toContain('commit ccc, seed 1');
  expect(figures).toContain('| http/a | plain | 2.00 |  |  |');
  expect(figures).not.toContain('aaa');
});

/** The page of figures of one run on a quiet machine with five rounds. */
function figuresOf(
  results: Record<string, CaseResult>,
  budgets: readonly Budget[] = [],
  loadBefore = 0.5,
  steady: readonly string[] = [],
): string {
  const one = run('aaa', 1);
  const quoted = {
    machine: { ...one.machine, loadBefore },
    options: { ...one.options, rounds: 5, quick: false },
    results,
  };
  const cases = Object.keys(results);
  return figuresPage([quoted], budgets, { cases, undisturbed: new Set(steady), ages: new Map() });
}

const withRatios = (ratios: CaseResult['ratios']): CaseResult => ({ name: 'a', figures: [], ratios });

test.each<[string, Partial<Budget>, number | number[], string]>([
  ['a bound that every round keeps', {}, [5, 6, 7], 'at least 5: bound kept'],
  ['a bound between the rounds', {}, [4, 6, 7], 'at least 5: bound within its rounds'],
  ['a target that is reached', { target: 6 }, [5, 6, 7], 'at least 5, target 6: bound kept, target reached'],
  ['a target that is missed', { target: 9 }, [5, 6, 7], 'at least 5, target 9: bound kept, target missed'],
  ['a promise missed by 4 %', {}, 4.8, 'at least 5: **bound missed by 4 %** (`bench:check` tolerates 5 %)'],
  ['a count missed by 4 %', { isCount: true }, 4.8, 'at least 5: **bound missed by 4 %**'],
  ['a bound missed by far', {}, [1, 2, 6], 'at least 5: **bound missed by 60 % within its rounds**'],
  [
    'an upper bound',
    { direction: 'at most', target: 4 },
    [5, 6, 5],
    'at most 5, target 4: bound within its rounds, target missed',
  ],
  ['an upper bound missed', { direction: 'at most' }, [8, 7.5, 7], 'at most 5: **bound missed by 50 %**'],
])('the page of figures says of a budget what is so: %s', (_what, changes, value, verdict) => {
  const budget: Budget = {
    case: 'http/a',
    ratio: 'r',
    bound: 5,
    direction: 'at least',
    reason: 'r',
    ...changes,
  };
  const ratios = { r: typeof value === 'number' ? value : spreadOf(value) };
  const [row] = figuresOf({ 'http/a': withRatios(ratios) }, [budget]).match(/^\| http.*$/gm) ?? [];
  expect(row).toEndWith(`| ${verdict} |`);
});

test('the page of figures breaks no table', () => {
  expect(figuresOf({ 'a|b': withRatios({ 'a|b': null }) })).toContain(
    '| a\\|b | a\\|b | too few samples |  |  |',
  );
});

test('figures of a busy machine are not to be quoted, except for those that its load does not change', () => {
  const results = { 'http/a': withRatios({ r: 1 }), 'counts/a': withRatios({ r: 2 }) };
  const headings = (loadBefore: number) =>
    figuresOf(results, [], loadBefore, ['counts/a']).match(/^(## .*|\| (http|counts).*)$/gm);
  expect(headings(0.51)).toEqual([
    '## 2026-11-20, aaa: busy machine (load 0.51), not to be quoted',
    '| http/a | r | 1.00 |  |  |',
    '## 2026-11-20, aaa, load 0.51, which does not change these',
    '| counts/a | r | 2.00 |  |  |',
  ]);
  expect(headings(0.5)).toEqual([
    '## 2026-11-20, aaa, load 0.50',
    '| http/a | r | 1.00 |  |  |',
    '| counts/a | r | 2.00 |  |  |',
  ]);
  for (const name of undisturbed) expect(Object.keys(registry)).toContain(name);
});

test('figures that may not be quoted have no verdict, and the newest quotable result of the case stands beside them', () => {
  const budget: Budget = {
    case: 'http/a',
    ratio: 'r',
    bound: 5,
    direction: 'at least',
    target: 9,
    reason: 'r',
  };
  const results = (r: number) => ({ 'http/a': withRatios({ r }) });
  const busy = { ...run('ccc', 1).machine, loadBefore: 0.51 };
  const history = [
    { ...quotableRun('aaa', 1), results: results(6) },
    { ...quotableRun('bbb', 1), results: { ...results(7), 'http/b': withRatios({ r: 1 }) } },
    { ...quotableRun('ccc', 1), machine: busy, results: results(8) },
  ];
  const page = figuresPage(history, [budget], {
    cases: ['http/a', 'http/b'],
    undisturbed: new Set(),
    ages: new Map(),
  });
  expect(page.match(/^(## .*|\| http.*|A newer .*|The newest .*)$/gm)).toEqual([
    '## 2026-11-20, ccc: busy machine (load 0.51), not to be quoted',
    'The newest that may be quoted, below, has commit bbb and load 0.00: http/a.',
    '| http/a | r | 8.00 |  | at least 5, target 9; no verdict: not to be quoted |',
    '## 2026-11-20, bbb, load 0.00',
    'A newer result, above, may not be quoted: http/a.',
    '| http/a | r | 7.00 |  | at least 5, target 9: bound kept, target missed |',
    '| http/b | r | 1.00 |  |  |',
  ]);
});

test('the links of a page in a folder one deeper lead to the same pages', () => {
  const options = { cases: [HOSTILE], undisturbed: new Set<string>(), ages: new Map() };
  const linksOf = (bench: string) =>
    [...figuresPage([run('aaa', 1)], [], { ...options, bench }).matchAll(/\]\(([^)]*)\)/g)].map(
      ([, link]) => link,
    );
  expect(linksOf('..')).toEqual([
    '../README.md#how-far-to-trust-it',
    '../latencies.md',
    '../../docs/decisions/0107-what-may-be-quoted.md',
  ]);
  expect(linksOf('../..')).toEqual(linksOf('..').map((link) => `../${link}`));
});

test('the pages name the cases that failed in a run', () => {
  const failed = {
    ...quotableRun('aaa', 1),
    results: { 'http/a': withRatios({ r: 1 }) },
    failed: ['http/b', 'a<b'],
  };
  const options = { cases: ['http/a'], undisturbed: new Set<string>(), ages: new Map() };
  expect(figuresPage([failed], [], options)).toContain(
    '\n**Failed in this run, without a result: http/b, a&lt;b.**\n\n| case |',
  );
  expect(page([failed], [])).toContain('Failed in this run, without a result: http/b, a&#60;b.');
  expect(figuresPage([quotableRun('aaa', 1)], [], { ...options, cases: [HOSTILE] })).not.toContain('Failed');
});

test('a cost that is below zero in a round is below the noise', () => {
  const page = figuresOf({
    'http/a': withRatios({
      'CPU of the log, µs': spreadOf([-1, 2, 3]),
      'CPU of the send, µs': spreadOf([1, 2, 3]),
      'slope, MB per tenth': -0.9,
    }),
  });
  expect(page).toContain('| CPU of the log, µs | below the noise | -1.00 to 3.00 |');
  expect(page).toContain('| CPU of the send, µs | 2.00 | 1.00 to 3.00 |');
  expect(page).toContain('| slope, MB per tenth | -0.900 |');
});

test('latencies of a queue that grows are called overload', () => {
  const distributions = new Distributions();
  distributions.record('rate × 4', 'read', [1, 2_000, 3_000]);
  distributions.record('rate × 4', 'quote', [1, 20, 3_000]);
  const figures = [
    { name: 'rate × 1', median: { readP50Ms: 5, quoteP50Ms: 5 }, rounds: [] },
    { name: 'rate × 4', median: { readP50Ms: 2_000, quoteP50Ms: 20 }, rounds: [] },
  ];
  const ratios = {
    'p99 over all rounds, read, rate × 4, ms': 3_000,
    'p99 over all rounds, quote, rate × 4, ms': 3_000,
    'readP50Ms, rate × 4 / rate × 1': 400,
    'quoteP50Ms, rate × 4 / rate × 1': 4,
  };
  const page = figuresOf({
    'pipeline/a': { name: 'a', figures, ratios, distributions: distributions.encode() },
  });
  expect(page.match(/^\| pipeline.*$/gm)).toEqual([
    '| pipeline/a | p99 over all rounds, read, rate × 4, ms | overload: the queue grows for the whole round (3,000) |  |  |',
    '| pipeline/a | p99 over all rounds, quote, rate × 4, ms | 3,000 |  |  |',
    '| pipeline/a | readP50Ms, rate × 4 / rate × 1 | overload: the queue grows for the whole round (400) |  |  |',
    '| pipeline/a | quoteP50Ms, rate × 4 / rate × 1 | 4.00 |  |  |',
  ]);
});

test('a run with one round or beside other programs says so where it prints its figures', () => {
  const median = { requestsPerSecond: 10, cpuMicrosecondsPerRequest: 0 };
  const result = {
    name: 'a',
    figures: [{ name: 'bare', median, rounds: [median] }],
    ratios: { 'throughput, ours / Hono': spreadOf([0.126]) },
  };
  const one = run('aaa', 1);
  const busy = { machine: { ...one.machine, loadBefore: 8.09 }, options: { ...one.options, quick: false } };
  const printed = describeCase('http/a', result, { tookSeconds: 2, doubts: doubtsOf(busy) });
  expect(printed).toEndWith('1 round, busy machine (load 8.09): says nothing, not to be quoted');
  // One round has no spread, and a round shorter than a tick of the clock no CPU time.
  expect(printed).toContain('throughput, ours / Hono: 0.126\n');
  expect(printed).toMatch(/│ bare │ 10 +│ too few samples/);
  expect(describeDoubts(doubtsOf({ ...busy, options: { ...busy.options, rounds: 5 } }))).toBe(
    'busy machine (load 8.09): not to be quoted',
  );
  expect(doubtsOf({ ...one, options: { ...one.options, rounds: 5, quick: false } })).toEqual([]);
  expect(doubtsOf({ ...busy, options: { ...busy.options, rounds: 5 } }, true)).toEqual([]);
});

test('the committed page of figures is the one of the committed results', async () => {
  const folder = new URL('../../bench/results/', import.meta.url).pathname;
  const page = await Bun.file(`${folder}/README.md`).text();
  // The ages were counted when the page was written.
  const ages = [...page.matchAll(/commit (\S+) \((\d+) commits old when this page was written\)/g)].map(
    ([, commit = '', age]) => [commit, Number(age)] as const,
  );
  expect(ages.length).toBeGreaterThan(0);
  const options = { cases: Object.keys(registry), undisturbed, ages: new Map(ages) };
  expect(figuresPage(await loadResults(folder), await loadBudgets(), options)).toBe(page);
});
