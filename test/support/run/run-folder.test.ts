import { expect, test } from 'bun:test';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import { createRunFolder, removeAbandoned } from './run-folder.ts';
import { createTempDir } from './temp-dir.ts';

test('folders of runs that were killed are removed with their servers, and no others', async () => {
  const parent = createTempDir('run-folders');
  const ended = Bun.spawn(['true']);
  await ended.exited;
  const running = `launchwire-test-${process.pid}-abcdef`;
  for (const name of [
    `launchwire-test-${ended.pid}-abcdef`,
    running,
    'launchwire-test-nameless',
    'something-else',
  ])
    mkdirSync(join(parent, name, 'inside'), { recursive: true });
  const abandoned = join(parent, `launchwire-test-${ended.pid}-abcdef`);
  const server = Bun.spawn(['sleep', '600'], { cwd: join(abandoned, 'inside') });
  const other = Bun.spawn(['sleep', '600'], { cwd: join(parent, running) });
  removeAbandoned(parent);
  await eventually('the server is killed', async () => server.signalCode === 'SIGKILL');
  expect(other.signalCode).toBeNull();
  other.kill();
  expect(readdirSync(parent).sort()).toEqual([running, 'launchwire-test-nameless', 'something-else']);
});

test('a run works where TMPDIR says, if it says so', () => {
  // The runner sets TMPDIR for the processes of its tests.
  expect(createRunFolder().startsWith(`${process.env.TMPDIR}/`)).toBe(true);
});
