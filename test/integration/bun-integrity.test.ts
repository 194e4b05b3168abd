import { expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTempDir } from '../support/run/temp-dir.ts';

const root = join(import.meta.dir, '..', '..');

test('a Bun with another hash than that of bun.lock is not installed', () => {
  const clone = createTempDir('bootstrap');
  mkdirSync(join(clone, 'sandbox'));
  for (const name of [
    'sandbox/bootstrap.mjs',
    'package.json',
    '.config/package.json',
    'bunfig.toml',
    'patches',
  ])
    cpSync(join(root, name), join(clone, name), { recursive: true });
  const lock = readFileSync(join(root, 'bun.lock'), 'utf8');
  const changed = lock.replaceAll(/("@oven\/bun-[^\n]*"sha512-)....(?=[^"]*"\])/g, '$1AAAA');
  expect(changed).not.toBe(lock);
  writeFileSync(join(clone, 'bun.lock'), changed);
  const { status, stderr } = spawnSync('node', ['sandbox/bootstrap.mjs'], { cwd: clone, encoding: 'utf8' });
  expect(stderr).toContain('Integrity checksum failed');
  expect(status).toBe(1);
  expect(existsSync(join(clone, 'node_modules'))).toBe(false);
  expect(existsSync(join(clone, '.sandbox/toolchain/node_modules/@oven'))).toBe(false);
});
