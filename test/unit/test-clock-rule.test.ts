import { expect, test } from 'bun:test';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTempDir } from '../support/run/temp-dir.ts';

const ROOT = join(import.meta.dir, '..', '..');
const RULE = './.config/test-clock.grit';

/** Lines of a test, and whether the rule refuses them. */
const LINES: readonly (readonly [line: string, isRefused: boolean])[] = [
  ["import { setTimeout as delay } from 'node:timers/promises';", true],
  ['await Bun.sleep(5);', true],
  ['await new Promise((resolve) => setTimeout(resolve, 5));', true],
  ['globalThis.setTimeout(() => {}, 3);', true],
  ['const timer = setInterval(() => {}, 4);', true],
  ['const tookMs = performance.now() - startedAtMs;', true],
  ['expect(performance.now()).toBeLessThan(4);', true],
  ['expect(Math.abs(Date.now() - atMs)).toBeLessThan(4);', true],
  ['expect(expiresAtMs).toBeGreaterThan(Date.now() + 4);', true],
  ['// biome-ignore lint/plugin: the pace of a worker', false],
  ['await Bun.sleep(6);', false],
  ['const past = new Date(Date.now() - HOUR_MS);', false],
  ['windows.add(claims, performance.now() - 2_500);', false],
  ["await eventually('it is there', async () => isThere);", false],
];

interface Override {
  includes: string[];
  plugins?: string[];
}

test('the check refuses fixed waits and measured times in tests alone, except on lines with a reason', async () => {
  const { overrides } = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8')) as {
    overrides: Override[];
  };
  const override = overrides.find(({ plugins }) => plugins?.includes(RULE));
  expect(override?.includes).toContain('test/**');
  const folder = createTempDir('rule');
  for (const name of ['.config', 'test', 'src']) mkdirSync(join(folder, name));
  copyFileSync(join(ROOT, RULE), join(folder, RULE));
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ overrides: [override] }));
  const text = LINES.map(([line]) => line).join('\n');
  for (const file of ['test/one.test.ts', 'src/one.ts']) writeFileSync(join(folder, file), text);
  const biome = join(ROOT, 'node_modules', '.bin', 'biome');
  const { stdout, stderr } = await Bun.$`${biome} lint --max-diagnostics=none .`
    .cwd(folder)
    .quiet()
    .nothrow();
  const refused = new Set((stdout.toString() + stderr.toString()).match(/^\S+:\d+(?=:\d+ plugin )/gm));
  const expected = LINES.flatMap(([, isRefused], at) => (isRefused ? [`test/one.test.ts:${at + 1}`] : []));
  expect([...refused].toSorted()).toEqual(expected.toSorted());
});
