import { expect, test } from 'bun:test';
import { hangLimitMs } from './hang-watchdog.ts';
import { runLikeNpmTest } from './inner-run.ts';

const bunTest = (text: string) => `import { beforeAll, describe, test } from 'bun:test';\n${text}`;
const NEVER = 'await new Promise(() => {});';

/** Files that hang, with what the run says of them. */
const hanging: Readonly<Record<string, readonly [text: string, since: string]>> = {
  'spins.test.ts': [
    bunTest(`test('ends', () => {}); test('spins', async () => { for (;;) await null; });`),
    'its test "spins"',
  ],
  'blocks.test.ts': [
    bunTest(`test.concurrent('blocks', async () => { Bun.sleepSync(1e9); });`),
    'its test "blocks"',
  ],
  'waits.test.ts': [
    bunTest(
      `describe('a', () => { test.each([1, 2])('waits', async (n) => { if (n === 2) ${NEVER} }, 1e9); });`,
    ),
    'its test "waits (row 2)"',
  ],
  'hook.test.ts': [bunTest(`beforeAll(async () => { ${NEVER} }, 1e9); test('begins', () => {});`), 'to load'],
  'loads.test.ts': [NEVER, 'to load'],
};

test('a test that hangs, however it does, is named and killed, and the other files run', async () => {
  const passing = [1, 2, 3].map((n) => [`passes-${n}.test.ts`, bunTest(`test('passes ${n}', () => {});`)]);
  const files = Object.entries(hanging).map(([name, [text]]) => [name, text]);
  const { output, exitCode } = await runLikeNpmTest(
    Object.fromEntries([...files, ...passing]),
    '--hang-after',
    '2',
  );
  expect(exitCode).toBe(1);
  for (const [name, [, since]] of Object.entries(hanging))
    expect(output).toContain(
      `${name} hangs: no progress within 2 s since it began ${since}; its process was killed`,
    );
  for (const n of [1, 2, 3]) expect(output).toContain(`(pass) passes ${n}`);
  // Those three, "ends" and the first row.
  expect(output).toMatch(/^5 passed, /m);
});

test('a file may stand still for two minutes, and for five times of what all of it usually takes', () => {
  expect([undefined, 3_000, 60_000].map(hangLimitMs)).toEqual([120_000, 120_000, 300_000]);
});
