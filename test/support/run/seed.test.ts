import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { runLikeNpmTest } from './inner-run.ts';
import { takeSeed } from './seed.ts';

const ROOT = join(import.meta.dir, '..', '..', '..');

/** A false property, and a sample drawn without a property. */
const FALSE_PROPERTY = `
import { expect, test } from 'bun:test';
import fc from ${JSON.stringify(join(ROOT, 'node_modules', 'fast-check'))};
test('no number is large', () => {
  fc.assert(fc.property(fc.integer(), fc.string(), (number) => number < 1_000_003));
});
test('samples', () => {
  throw new Error('sampled ' + fc.sample(fc.integer(), 5).join());
});
`;

/** Runs the file like `npm test` and returns the output. */
async function runFalseProperty(...args: string[]): Promise<string> {
  const { output, exitCode } = await runLikeNpmTest({ 'false-property.test.ts': FALSE_PROPERTY }, ...args);
  expect(exitCode).toBe(1);
  return output;
}

const found = (text: string, pattern: RegExp) => {
  const [, value] = pattern.exec(text) ?? [];
  if (value === undefined) throw new Error(`${pattern} is not in: ${text}`);
  return value;
};

describe('the seed of a run', () => {
  test('is printed by a property that fails, with its shrunken case, and draws the same again', async () => {
    const first = await runFalseProperty();
    const seed = found(first, /the seed was (\d+); npm test -- --seed \1 <file>/);
    const counterexample = (text: string) => found(text, /Counterexample: (\[.*\])/);
    expect(found(first, /\{ seed: (\d+), path: /)).toBe(seed);
    expect(counterexample(first)).toStartWith('[1000003,');
    const again = await runFalseProperty('--seed', seed);
    const drawn = [/path: "([\d:]+)"/, /Shrunk (\d+) time/, /sampled ([-\d][-,\d]*)/];
    for (const pattern of drawn) expect(found(again, pattern)).toBe(found(first, pattern));
    expect(counterexample(again)).toBe(counterexample(first));
    const other = await runFalseProperty(`--seed=${(Number(seed) + 1) % 2 ** 31}`);
    expect(found(other, /sampled ([-\d][-,\d]*)/)).not.toBe(found(first, /sampled ([-\d][-,\d]*)/));
  });

  test('is taken out of the arguments wherever it is, and refused when it is no seed', () => {
    const files = ['test/a.test.ts', '--bail'];
    expect(takeSeed(['--seed', '12', ...files])).toEqual({ seed: 12, rest: files });
    expect(takeSeed([...files, '--seed=0'])).toEqual({ seed: 0, rest: files });
    expect(takeSeed(files).rest).toEqual(files);
    for (const wrong of [['--seed'], ['--seed', 'x'], ['--seed=-1'], ['--seed', '99999999999']])
      expect(() => takeSeed(wrong)).toThrow('--seed takes a number');
  });
});
