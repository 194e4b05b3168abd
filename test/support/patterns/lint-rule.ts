import { expect } from 'bun:test';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROJECT_ROOT } from '../../../sandbox/shared/sandbox-folder.ts';
import { createTempDir } from '../run/temp-dir.ts';

interface Override {
  includes: string[];
  plugins?: string[];
}

export interface RuleCase {
  /** As in `biome.json`. */
  rule: string;
  /** Lines of a source, and whether the rule refuses them. */
  lines: readonly (readonly [line: string, isRefused: boolean])[];
  /** Files to which the rule applies, and files to which it does not. */
  checked: readonly string[];
  spared: readonly string[];
}

/** Expects that `biome.json` applies a rule of our own to the lines that are meant, in the files that are meant. */
export async function expectRule({ rule, lines, checked, spared }: RuleCase): Promise<void> {
  const { overrides } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'biome.json'), 'utf8')) as {
    overrides: Override[];
  };
  const override = overrides.find(({ plugins }) => plugins?.includes(rule));
  const folder = createTempDir('rule');
  mkdirSync(join(folder, '.config'));
  copyFileSync(join(PROJECT_ROOT, rule), join(folder, rule));
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ overrides: [override] }));
  const text = lines.map(([line]) => line).join('\n');
  for (const file of [...checked, ...spared]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const biome = join(PROJECT_ROOT, 'node_modules', '.bin', 'biome');
  const { stdout, stderr } = await Bun.$`${biome} lint --max-diagnostics=none .`
    .cwd(folder)
    .quiet()
    .nothrow();
  const refused = new Set((stdout.toString() + stderr.toString()).match(/^\S+:\d+(?=:\d+ plugin )/gm));
  const expected = checked.flatMap((file) =>
    lines.flatMap(([, isRefused], at) => (isRefused ? [`${file}:${at + 1}`] : [])),
  );
  expect([...refused].toSorted()).toEqual(expected.toSorted());
}
