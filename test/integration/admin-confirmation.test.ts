import { beforeAll, expect, test } from 'bun:test';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { runAdmin } from '../support/operations/admin-program.ts';
import { storedEvents } from '../support/rows/stored-events.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

let db: Database;
let url: string;

beforeAll(async () => {
  ({ url } = await createTestDatabase());
  const pool = connectDatabase(url, { applicationName: 'test', connections: 1 });
  atEnd(() => pool.end({ timeout: 1 }));
  db = pool;
});

/** Runs the admin CLI on a terminal, types `answer` when it is asked, and returns what the terminal showed. */
async function onTerminal(
  args: readonly string[],
  answer: string,
  last = '',
): Promise<{ code: number; shown: string }> {
  let shown = '';
  let hasAnswered = false;
  const child = Bun.spawn([process.execPath, 'src/admin/main.ts', ...args], {
    env: { ...process.env, DATABASE_URL: url },
    terminal: {
      cols: 100,
      rows: 24,
      data(terminal, bytes) {
        shown += new TextDecoder().decode(bytes);
        if (hasAnswered || !shown.includes('[y/N]')) return;
        hasAnswered = true;
        terminal.write(answer);
      },
    },
  });
  const code = await child.exited;
  // A terminal may show its last line after the end of the process.
  await eventually('the last line', async () => shown.includes(last));
  child.terminal?.close();
  return { code, shown };
}

const isRevoked = async (keyId: string) => {
  const [row] = await db<{ revokedAt: Date | null }[]>`select revoked_at from api_keys where id = ${keyId}`;
  return row?.revokedAt !== null;
};

test('a terminal is asked, and only yes confirms', async () => {
  const { keyId } = await createTestKey(db);
  const revoke = ['key', 'revoke', '--id', keyId];
  // The last one is the end of the input.
  for (const answer of ['n\r', '\r', 'yesterday\r', '\u0004']) {
    const { code, shown } = await onTerminal(revoke, answer, 'nothing was changed');
    expect({ answer, code }).toEqual({ answer, code: 1 });
    expect(shown).toContain(`key ${keyId} is revoked for ever. Go on? [y/N]`);
    expect(shown).toContain('nothing was changed');
    expect(await isRevoked(keyId)).toBe(false);
  }
  expect(await onTerminal(revoke, 'y\r')).toMatchObject({ code: 0 });
  expect(await isRevoked(keyId)).toBe(true);
  // An operator has no key.
  expect(await storedEvents(db, 'api_key.revoked', keyId)).toMatchObject([
    { data: { revokedByKeyId: null } },
  ]);
});

test('neither a terminal with --yes nor a script is asked', async () => {
  const [one, two] = [await createTestKey(db), await createTestKey(db)];
  const { code, shown } = await onTerminal(['key', 'revoke', '--id', one.keyId, '--yes'], '');
  expect(code).toBe(0);
  expect(shown).not.toContain('[y/N]');
  expect((await runAdmin(['key', 'revoke', '--id', two.keyId, '--json'], { DATABASE_URL: url })).code).toBe(
    0,
  );
  expect(await isRevoked(two.keyId)).toBe(true);
});
