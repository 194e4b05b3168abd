import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { forgetSecrets, secretsOf } from '../../src/config/load.ts';
import { atEnd } from '../support/run/cleanup.ts';

const SECRET_KEY = Buffer.alloc(32, 9).toString('base64');
const PROGRAM = fileURLToPath(new URL('../support/processes/hidden-program.ts', import.meta.url));
/** Root may read everything; without its capabilities it is a user like any other. */
const asUser = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all'] : [];

/** What another process of the same user reads of the environment with which a program was started. */
async function environmentOf(state: 'hidden' | 'shown'): Promise<string> {
  const program = Bun.spawn([...asUser, process.execPath, PROGRAM, state], {
    env: { SECRET_KEY },
    stdin: 'pipe',
    stdout: 'pipe',
  });
  atEnd(async () => program.kill('SIGKILL'));
  const { value } = await program.stdout.getReader().read();
  expect(Buffer.from(value ?? []).toString()).toBe(state);
  const { stdout } = Bun.spawnSync([...asUser, 'cat', `/proc/${program.pid}/environ`], { stderr: 'ignore' });
  return stdout.toString();
}

test.skipIf(process.platform !== 'linux')(
  'a process of the same user reads nothing of the environment of one that has hidden itself',
  async () => {
    expect(await environmentOf('shown')).toContain(SECRET_KEY);
    expect(await environmentOf('hidden')).toBe('');
  },
);

describe('a service', () => {
  test.each(['src/api/main.ts', 'src/worker/main.ts', 'src/internal/main.ts', 'relay/main.ts'])(
    '%s hides itself before it reads anything, and then forgets its secrets',
    (path) => {
      const source = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
      const calls = source.matchAll(/^ *(hideProcess|forgetSecrets)\(\);$|(loadConfigOf)\(/gm);
      expect([...calls].map(([, call, read]) => call ?? read)).toEqual([
        'hideProcess',
        'loadConfigOf',
        'forgetSecrets',
      ]);
    },
  );

  test('has no secret of its configuration in its environment once it has forgotten them', () => {
    const environment = { SECRET_KEY, DATABASE_URL: 'postgres://a:secret-password@host/db', PORT: '3000' };
    expect(secretsOf(environment)).toContain('secret-password');
    forgetSecrets(environment);
    expect(secretsOf(environment).filter((secret) => secret !== '')).toEqual([]);
    expect(environment.PORT).toBe('3000');
  });
});
