import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Glob } from 'bun';

const root = resolve(import.meta.dir, '../..');
const sources = [...new Glob('{src,relay,packages,sandbox,bench,test,examples}/**/*.ts').scanSync(root)];

/** A path relative to the file that names it. */
const CLIMBING = /(?:from |import\(|new URL\(|import\.meta\.\w+, )['"`]((?:\.\.\/)+)/g;

test('no source names a path that leads out of the repository', () => {
  expect(sources.length).toBeGreaterThan(500);
  const outside = sources.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const climbing = text.matchAll(CLIMBING);
    return [...climbing]
      .filter(([, up = '']) => !`${resolve(dirname(join(root, path)), up)}/`.startsWith(`${root}/`))
      .map(([found]) => `${path}: ${found}`);
  });
  expect(outside).toEqual([]);
});
