// Packs the npm package as its users install it, into the root of the clone: `npm run client:pack`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dir, '..', '..', '..');
// `prepack` builds with the compiler of the clone.
const { status, stdout, error } = spawnSync('npm', ['pack', '--silent', './packages/client'], {
  cwd: root,
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (error !== undefined) throw error;
if (status !== 0) process.exit(status ?? 1);
const name = stdout.trim().split('\n').at(-1) ?? '';
process.stdout.write(`${name}\nIn a project of yours: npm install ${join(root, name)}\n`);
