import { expect, test } from 'bun:test';
import { Distributions } from '../../bench/measurement/distribution.ts';
import { spreadOf } from '../../bench/measurement/statistics.ts';
import { reportPage } from '../../bench/report/page.ts';
import { decadeTicks, formatNumber, linearTicks } from '../../bench/report/scale.ts';
import type { ResultFile } from '../../bench/results.ts';

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

test('the report escapes every text and loads nothing from the network', () => {
  const html = reportPage([run('aaa', 1), run(HOSTILE, 2)], []);
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
  const html = reportPage([run('aaa', 1), run('bbb', 2)], [budget]);
  expect(html.match(/<svg /g)).toHaveLength(3);
  expect(html).toContain('History of the ratios');
  expect(html).toContain('class="missed">at least 5<');
  expect(html).toContain('Of a bare server. Protects reads.');
  expect(reportPage([run('aaa', 9)], [budget])).toContain('class="kept">at least 5<');
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
  const html = reportPage([{ ...run('aaa', 1), results }], [budget]);
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
  const html = reportPage([{ ...run('aaa', 1), results }], []);
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
  const page = (plot: 'sizes' | 'course') =>
    reportPage(
      [{ ...run('aaa', 1), results: { 'scale/rows': { name: 'rows', figures, plot, ratios: {} } } }],
      [],
    );
  expect(page('sizes').match(/<polyline /g)).toHaveLength(2);
  expect(page('sizes')).toContain('>100 rows</text>');
  expect(page('course').match(/<svg /g)).toHaveLength(2);
  expect(page('course')).toContain('Course of the run, 100 rows');
});

test('labels of a long history do not overlap, and the newest is shown', () => {
  const history = Array.from({ length: 40 }, (_, at) => run(`${at}+changes`, at + 1));
  const html = reportPage(history, []);
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
