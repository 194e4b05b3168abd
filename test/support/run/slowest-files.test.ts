import { describe, expect, test } from 'bun:test';
import { startChild } from '../../../sandbox/services/child-process.ts';
import { eventually } from './eventually.ts';
import { type FileCost, measureFile } from './file-cost.ts';
import { describeCosts, readCosts } from './slowest-files.ts';

const cost = (file: string, wallMs: number, more: Partial<FileCost> = {}): FileCost => ({
  file,
  wallMs,
  ownCpuMs: 0,
  childCpuMs: 0,
  waits: [],
  ...more,
});
const lines = (costs: readonly FileCost[]) => costs.map((each) => `${JSON.stringify(each)}\n`).join('');

describe('the end of a run', () => {
  test('names the twenty slowest files, slowest first', () => {
    const costs = Array.from({ length: 22 }, (_, n) => cost(`${n}.test.ts`, n * 1000));
    const [heading, ...rest] = describeCosts(costs, 0);
    expect(heading).toStartWith('The slowest 20 of 22 files');
    expect(rest.slice(0, -1).map((line) => line.trim().split(/\s+/).at(-1))).toEqual(
      Array.from({ length: 20 }, (_, n) => `${21 - n}.test.ts`),
    );
  });

  test('says what a file computed, how long it waited, and for what', () => {
    const waits = [
      { what: 'the record', times: 3, durationMs: 2000 },
      { what: 'start of api', times: 1, durationMs: 500 },
    ];
    const [, file, ...rest] = describeCosts(
      [cost('a.test.ts', 5000, { ownCpuMs: 1500, childCpuMs: 500, waits })],
      700,
    );
    expect(file?.trim().split(/ {2,}/)).toEqual(['5.0 s', '2.0 s', '3.0 s', 'a.test.ts']);
    expect(rest.map((line) => line.trim())).toEqual([
      '2.0 s  the record (3 times)',
      '0.5 s  start of api',
      'All files: 5.0 s, of it 1.5 s CPU of their own, and 0.5 s of processes that they started, and 0.7 s CPU of the servers that they share',
    ]);
  });

  test('adds up the reruns of a file', () => {
    const waits = [{ what: 'the record', times: 2, durationMs: 10 }];
    const once = cost('a.test.ts', 100, { ownCpuMs: 40, childCpuMs: 5, waits });
    expect(readCosts(lines([once, cost('b.test.ts', 1), once]))).toEqual([
      cost('a.test.ts', 200, {
        ownCpuMs: 80,
        childCpuMs: 10,
        waits: [{ what: 'the record', times: 4, durationMs: 20 }],
      }),
      cost('b.test.ts', 1),
    ]);
  });
});

test('what a file took includes the processes that it ran, their starts and its own waits, each once', async () => {
  const take = measureFile('a.test.ts');
  // This takes about 0.1 s of CPU. Linux counts in units of 0.01 s.
  const loop = 'i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done; echo done';
  const child = await startChild({ name: 'loop', command: 'sh', args: ['-c', loop], ready: /done/ });
  await child.exited;
  let checks = 0;
  await eventually('the third look', async () => ++checks === 3);
  const first = take();
  expect(first.file).toBe('a.test.ts');
  expect(first.childCpuMs).toBeGreaterThan(0);
  expect(first.ownCpuMs).toBeGreaterThan(0);
  const waitedFor = first.waits.map(({ what, times }) => `${what} ${times}`);
  expect(waitedFor).toContain('start of loop 1');
  expect(waitedFor).toContain('the third look 1');
  const { user } = process.cpuUsage();
  while (process.cpuUsage().user - user < 50_000);
  const second = take();
  expect(second.ownCpuMs).toBeGreaterThanOrEqual(50);
  expect(second.childCpuMs).toBe(0);
  expect(second.waits.map(({ what }) => what)).not.toContain('the third look');
});
