import { expect, test } from 'bun:test';
import { type Budget, loadBudgets } from '../../bench/budgets.ts';
import { Distributions } from '../../bench/measurement/distribution.ts';
import { spreadOf } from '../../bench/measurement/statistics.ts';
import { registry } from '../../bench/registry.ts';
import { figuresPage } from '../../bench/report/figures-page.ts';
import { reportPage } from '../../bench/report/page.ts';
import { decadeTicks, formatNumber, linearTicks } from '../../bench/report/scale.ts';
import { loadResults, type ResultFile } from '../../bench/results.ts';

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

/** The report with every case of the history. */
function page(history: readonly ResultFile[], budgets: readonly Budget[]): string {
  return reportPage(history, budgets, casesOf(history));
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
  const html = page([run('aaa', 1), run('bbb', 2)], [budget]);
  expect(html.match(/<svg /g)).toHaveLength(3);
  expect(html).toContain('History of the ratios');
  expect(html).toContain('class="missed">at least 5<');
  expect(html).toContain('The floor is a bare server. Protects reads.');
  expect(page([run('aaa', 9)], [budget])).toContain('class="kept">at least 5<');
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
  expect(html).toContain('<td colspan="2">too few samples</td><td>at most 2</td>');
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
  const html = reportPage(history, [], [HOSTILE, 'http/a']);
  expect(html.match(/<section /g)).toHaveLength(2);
  expect(html).toContain('commit bbb');
  expect(html).not.toContain('http/gone');
  const figures = figuresPage(history, [], [HOSTILE, 'http/a', 'http/never']);
  expect(figures.match(/^## .*/gm)).toEqual([
    '## 2026-11-20, ccc, load 0.00',
    '## 2026-11-20, bbb, load 0.00',
  ]);
  expect(figures).toContain('| http/a | plain | 2.00 |  |  |');
  expect(figures).not.toContain('aaa');
});

test('the page of figures says which budgets are kept, and breaks no table', () => {
  const budget = { case: HOSTILE, ratio: 'plain', bound: 5, direction: 'at least', reason: 'r' } as const;
  const name = 'a|b';
  const history = [run('aaa', 1)];
  const page = figuresPage(history, [budget], casesOf(history));
  expect(page).toContain('| plain | 1.00 |  | at least 5: **missed** |');
  const piped = [{ ...run('aaa', 9), results: { [name]: { name, figures: [], ratios: { [name]: null } } } }];
  expect(figuresPage(piped, [], [name])).toContain('| a\\|b | a\\|b | too few samples |  |  |');
});

test('the committed page of figures is the one of the committed results', async () => {
  const folder = new URL('../../bench/results/', import.meta.url).pathname;
  const page = figuresPage(await loadResults(folder), await loadBudgets(), Object.keys(registry));
  expect(await Bun.file(`${folder}/README.md`).text()).toBe(page);
});
