import { expect, test } from 'bun:test';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { loadResults } from '../../bench/report/results.ts';
import { createTempDir } from '../support/run/temp-dir.ts';

test('a short run of one case keeps a valid result and a report, and a second run overwrites neither', async () => {
  const folder = createTempDir('bench');
  const run = () =>
    Bun.$`${process.execPath} bench/run.ts micro/cursor --quick --rounds 2 --round-ms 5 --out ${folder}`
      .quiet()
      .text();
  expect(await run()).toContain('micro/cursor');
  await run();
  const results = await loadResults(folder);
  expect(results).toHaveLength(2);
  const [first] = results;
  const figures = first?.results['micro/cursor']?.figures ?? [];
  expect(figures.map(({ rounds }) => rounds.length)).toEqual([2, 2, 2]);
  for (const { median } of figures) expect(median.microsecondsPerCall).toBeGreaterThan(0);
  expect(first?.machine).toMatchObject({
    bun: Bun.version,
    commit: expect.any(String),
    cores: expect.any(Number),
  });
  expect(first?.options).toEqual({ quick: true, seed: 1, rounds: 2, roundMs: 5 });
  expect(await readdir(folder)).toContain('report.html');
  expect(await Bun.file(join(folder, 'report.html')).text()).toContain('micro/cursor');
});

test('a run at its shortest reports the working cases, saves nothing, and refuses options of measurements', async () => {
  const results = async () => (await readdir('bench/results', { recursive: true })).sort();
  const before = await results();
  const run = (...args: string[]) =>
    Bun.$`${process.execPath} bench/run.ts micro/cursor --shortest ${args}`.quiet().nothrow();
  const { exitCode, stdout } = await run();
  expect([exitCode, stdout.toString()]).toEqual([0, 'works   micro/cursor\nbench: every case works\n']);
  expect(await results()).toEqual(before);
  const refused = await run('--out', createTempDir('bench'));
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr.toString()).toContain('takes no --out');
});

test('a case that fails is named, ends the run with code 1, and loses no other', async () => {
  const folder = createTempDir('bench');
  const run = await Bun.$`${process.execPath} bench/run.ts micro/cursor http/get-token memory/waiting \
    --quick --rounds 2 --round-ms 5 --out ${folder}`
    .env({ ...process.env, BENCH_DATABASE_TEMPLATE_URL: 'postgres://127.0.0.1:9/none' })
    .quiet()
    .nothrow();
  expect(run.exitCode).toBe(1);
  expect(run.stderr.toString()).toContain('2 cases failed: http/get-token, memory/waiting');
  const [result] = await loadResults(folder);
  expect(Object.keys(result?.results ?? {})).toEqual(['micro/cursor']);
  expect(result?.failed).toEqual(['http/get-token', 'memory/waiting']);
});
