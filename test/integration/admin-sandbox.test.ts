import { beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { connectDatabase } from '../../src/db/client.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { runAdmin } from '../support/operations/admin-program.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { createTempDir } from '../support/run/temp-dir.ts';

/** The working directory of the commands. */
const PROJECT_ROOT = join(import.meta.dir, '..', '..');

let folder: string;
let key: TestKey;

/** A folder as a running sandbox leaves it, as far as the admin CLI reads it. */
beforeAll(async () => {
  const { url } = await createTestDatabase();
  const db = connectDatabase(url, { applicationName: 'test', connections: 1 });
  atEnd(() => db.end({ timeout: 1 }));
  key = await createTestKey(db);
  folder = createTempDir('named-sandbox');
  writeFileSync(join(folder, 'state.json'), JSON.stringify({ environment: { DATABASE_URL: url } }));
});

function listKeys(environment: Record<string, string>) {
  return runAdmin(['key', 'list', '--account', key.accountId, '--json'], environment);
}

describe('the admin CLI without DATABASE_URL', () => {
  test('works on the sandbox that SANDBOX_DIR names, by an absolute or a relative path', async () => {
    for (const path of [folder, relative(PROJECT_ROOT, folder)]) {
      const { code, output } = await listKeys({ SANDBOX_DIR: path });
      expect(output).toContain(key.keyId);
      expect(code).toBe(0);
    }
  });

  test('refuses a folder in which no sandbox runs, and uses no other instead', async () => {
    const empty = createTempDir('no-sandbox');
    const { code, output } = await listKeys({ SANDBOX_DIR: empty });
    expect(code).toBe(1);
    expect(output).toBe(
      `invalid configuration:\n  - SANDBOX_DIR names no running sandbox: there is no ${join(empty, 'state.json')}\n`,
    );
  });
});
