import { beforeEach, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import type { DatabaseRole } from '../../src/db/roles.ts';
import { SecretKeyCheck } from '../../src/db/secret-key-check.ts';
import { checkSecretKeys, keepSecretKeys, requireSecretKeys } from '../../src/db/secret-keys.ts';
import { ConfigurationError } from '../../src/shared/configuration-error.ts';
import { createSecretBox } from '../../src/shared/secret-box.ts';
import { generateWebhookSecret, sealWebhookSecret } from '../../src/shared/webhooks/secret.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { silentLog } from '../support/processes/worker-context.ts';
import { insertEndpoint } from '../support/rows/insert-endpoint.ts';
import { atEnd } from '../support/run/cleanup.ts';

const [OLD, NEW, OTHER] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const UNKNOWN = 'neither SECRET_KEY nor in SECRET_KEY_PREVIOUS';
const TOO_EARLY = 'a key that the relay does not have yet';

let database: TestDatabase;
let owner: Database;
let asApi: Database;
let asRelay: Database;

beforeEach(async () => {
  database = await createTestDatabase();
  owner = connectAs();
  asApi = connectAs('launchwire_api');
  asRelay = connectAs('launchwire_relay');
});

function connectAs(role?: DatabaseRole): Database {
  const works = role === undefined ? {} : { role };
  const pool = connectDatabase(database.url, { applicationName: 'test', connections: 2, ...works });
  atEnd(() => pool.end({ timeout: 1 }));
  return pool;
}

const keysOf = ([secretKey = OTHER, ...secretKeyPrevious]: Buffer[]) => ({ secretKey, secretKeyPrevious });

/** Starts an api or a relay with these keys, the sealing one first. Returns null, or the reason why it must not run. */
async function start(process: 'api' | 'relay', ...keys: Buffer[]): Promise<string | null> {
  const [pool, use] = process === 'api' ? ([asApi, 'seal'] as const) : ([asRelay, 'open'] as const);
  try {
    await requireSecretKeys(pool, keysOf(keys), use);
    return null;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    expect(error.mistakes).toHaveLength(1);
    return error.mistakes[0] ?? '';
  }
}

async function storeSecret(key: Buffer): Promise<void> {
  const { accountId } = await createTestKey(owner);
  const id = Bun.randomUUIDv7();
  const sealedSecret = sealWebhookSecret(createSecretBox(key), id, generateWebhookSecret());
  await insertEndpoint(owner, { id, accountId, sealedSecret });
}

describe('without any secret', () => {
  test('the second of two processes with different keys does not run, whichever it is', async () => {
    expect(await start('api', OLD)).toBeNull();
    expect(await start('relay', OTHER)).toContain(UNKNOWN);
    expect(await start('api', OTHER)).toContain(UNKNOWN);
    expect(await start('relay', OLD)).toBeNull();
    expect(await start('api', OLD)).toBeNull();
  });

  test('a relay that came first keeps its key too', async () => {
    expect(await start('relay', OLD)).toBeNull();
    expect(await start('api', OTHER)).toContain(UNKNOWN);
    expect(await start('relay', OTHER)).toContain(UNKNOWN);
    expect(await start('api', OLD)).toBeNull();
  });

  test('one of two simultaneous processes runs', async () => {
    const verdicts = await Promise.all([start('api', OLD), start('relay', OTHER), start('api', NEW)]);
    expect(verdicts.filter((verdict) => verdict === null)).toHaveLength(1);
    expect(await owner`select 1 from secret_keys`).toHaveLength(1);
  });
});

describe('a database whose secrets are older than the list of keys', () => {
  test('refuses keys that open none of them, and enters nothing', async () => {
    await storeSecret(OLD);
    expect(await start('api', OTHER)).toContain('opens none of the stored webhook secrets');
    expect(await start('relay', OTHER)).toContain('opens none of the stored webhook secrets');
    expect(await owner`select 1 from secret_keys`).toHaveLength(0);
    expect(await start('api', OLD)).toBeNull();
  });

  test('knows both keys of a rotation that is half done', async () => {
    await storeSecret(OLD);
    await storeSecret(NEW);
    expect(await start('relay', NEW, OLD)).toBeNull();
    expect(await start('api', NEW)).toContain(UNKNOWN);
    expect(await start('api', NEW, OLD)).toBeNull();
  });
});

describe('a rotation', () => {
  beforeEach(async () => {
    expect(await start('api', OLD)).toBeNull();
    expect(await start('relay', OLD)).toBeNull();
  });

  test('goes through its steps, and refuses a process that is a step late', async () => {
    expect(await start('relay', OLD, NEW)).toBeNull();
    expect(await start('api', OLD, NEW)).toBeNull();
    // Nothing is sealed under the new key yet.
    expect(await start('api', OLD)).toBeNull();
    expect(await start('api', NEW, OLD)).toBeNull();
    expect(await start('relay', OLD)).toContain(UNKNOWN);
    expect(await start('api', OLD)).toContain(UNKNOWN);
    expect(await start('relay', OLD, NEW)).toBeNull();
    expect(await start('relay', NEW)).toContain(UNKNOWN);
    await keepSecretKeys(owner, keysOf([NEW]));
    expect(await start('relay', NEW)).toBeNull();
    expect(await start('api', NEW)).toBeNull();
    expect(await start('api', OLD)).toContain(UNKNOWN);
  });

  test('does not seal under a key that no relay has, even where an api had it before', async () => {
    expect(await start('api', NEW, OLD)).toContain(TOO_EARLY);
    expect(await start('api', OLD, NEW)).toBeNull();
    expect(await start('api', NEW, OLD)).toContain(TOO_EARLY);
    expect(await checkSecretKeys(asApi, keysOf([NEW, OLD]), 'seal')).toContain(TOO_EARLY);
    // A leaked key: the relay may go first with both, without the step before.
    expect(await start('relay', NEW, OLD)).toBeNull();
    expect(await start('api', NEW, OLD)).toBeNull();
  });

  test('a lost key is replaced on demand, and a key that still opens something stays required', async () => {
    expect(await start('api', NEW)).toContain(UNKNOWN);
    await keepSecretKeys(owner, keysOf([NEW]));
    expect(await start('api', NEW)).toBeNull();
    expect(await start('relay', NEW)).toBeNull();
    await keepSecretKeys(owner, keysOf([OTHER, NEW]));
    expect(await start('relay', OTHER)).toContain(UNKNOWN);
    expect(await start('relay', OTHER, NEW)).toBeNull();
  });
});

test('the list opens nothing and names no key', async () => {
  await start('api', OLD, NEW);
  const rows = await owner<{ keyCheck: Buffer }[]>`select key_check from secret_keys`;
  for (const { keyCheck } of rows) expect([OLD, NEW].some((key) => key.equals(keyCheck))).toBe(false);
});

test('an api that cannot ask seals nothing and is not ready; once it can, it is, or ends', async () => {
  const answers = [new Error('away'), new Error('away'), null];
  const check = new SecretKeyCheck(async () => {
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
  }, silentLog);
  const box = check.guard(createSecretBox(OLD));
  const seal = () => box.seal(Buffer.from('secret'), 'context');
  await check.begin();
  expect((await check.readiness.check()).ready).toBe(false);
  expect(seal).toThrow('A backing dependency is unavailable.');
  await check.run(new AbortController().signal);
  expect(await check.readiness.check()).toEqual({ ready: true });
  expect(box.open(seal(), 'context')).toEqual(Buffer.from('secret'));

  const refused = [new Error('away'), new ConfigurationError(['SECRET_KEY is wrong'])];
  const wrong = new SecretKeyCheck(async () => {
    throw refused.shift();
  }, silentLog);
  await wrong.begin();
  expect(wrong.run(new AbortController().signal)).rejects.toThrow('SECRET_KEY is wrong');
});
