import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url).pathname;
const text = readFileSync(`${root}CONTRIBUTING.md`, 'utf8');
const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

test.each(['CONTRIBUTING.md', 'docs/testing.md'])(
  'every file and folder that %s names exists',
  (document) => {
    const named = readFileSync(root + document, 'utf8');
    const paths = [...named.matchAll(/`((?:\.?\w[\w.-]*\/)+[\w.<>-]*)`/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(30);
    // A placeholder stands for one of several names: the folder before it exists.
    const missing = paths.filter(
      (path) => !path.startsWith('contract/') && !existsSync(root + path.split('<')[0]),
    );
    expect(missing).toEqual([]);
  },
);

test('every script that a recipe names exists', () => {
  const named = [...text.matchAll(/`(?:bun|npm) run ([\w:]+)`/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
});

test('the command that runs all checks names each of them', () => {
  const checks = Object.keys(scripts).filter((name) => name.startsWith('check:'));
  expect(checks.length).toBeGreaterThan(3);
  expect(scripts.check.match(/check:\w+/g).sort()).toEqual(checks.sort());
});
