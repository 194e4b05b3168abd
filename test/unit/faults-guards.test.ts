import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { guards } from '../../faults/guards/guards.ts';
import { rules } from '../../faults/judge/judge.ts';

const ROOT = join(import.meta.dir, '..', '..');

test.each(guards)('the guard $name is where it is broken on purpose', ({ changes, foundBy }) => {
  for (const { file, from, to } of changes) {
    expect(readFileSync(join(ROOT, file), 'utf8').split(from)).toHaveLength(2);
    expect(to).not.toBe(from);
  }
  for (const rule of foundBy) expect(Object.keys(rules)).toContain(rule);
});
