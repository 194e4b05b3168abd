import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { version } from '../../package.json';
import { version as clientVersion } from '../../packages/client/package.json';
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

test('the npm package and every page that names a release name the version of this one', () => {
  expect(clientVersion).toBe(version);
  const root = new URL('../../', import.meta.url).pathname;
  const files = ['docs/{guides,operations}/*.md', 'packages/client/README.md', 'ops/**/*.{yaml,sh,service}'];
  const named = files
    .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(root)])
    .flatMap((file) =>
      [
        ...readFileSync(`${root}${file}`, 'utf8').matchAll(/launchwire(?:-migrate)?[-:/@]v?(\d+\.\d+\.\d+)/g),
      ].map(([, release]) => `${file}: ${release}`),
    );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((line) => !line.endsWith(`: ${version}`))).toEqual([]);
});
