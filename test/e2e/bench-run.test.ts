import { expect, test } from 'bun:test';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { loadResults } from '../../bench/results.ts';
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
  const results = () => readdir('bench/results', { recursive: true });
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
