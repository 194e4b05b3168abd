import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { commitOf } from '../../src/shared/build.ts';
import { commit } from '../../src/shared/build-commit.json';

test('the commit is read from a git archive, and is unknown in a checkout', () => {
  const archived = 'b'.repeat(40);
  expect(commitOf(archived)).toBe(archived);
  expect(commitOf('$Format:%H$')).toBe('unknown');
  expect(commitOf('')).toBe('unknown');
  const attributes = readFileSync(new URL('../../.gitattributes', import.meta.url), 'utf8');
  expect(attributes).toContain('src/shared/build-commit.json export-subst');
  expect(commit === '$Format:%H$' || commitOf(commit) === commit).toBe(true);
});
