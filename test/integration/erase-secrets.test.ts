import { beforeAll, describe, expect, test } from 'bun:test';
import { reEncryptSecrets } from '../../src/admin/re-encrypt.ts';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { eraseSecrets } from '../../src/features/webhooks/endpoints/erase-secrets.ts';
import { createSecretBox } from '../../src/shared/secret-box.ts';
import { generateWebhookSecret, sealWebhookSecret } from '../../src/shared/webhooks/secret.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { localWebhooks } from '../support/api/local-webhooks.ts';
import { insertEndpoint } from '../support/rows/insert-endpoint.ts';
import { atEnd } from '../support/run/cleanup.ts';

const MINUTE_MS = 60_000;
const [older, newer] = [new Uint8Array(32).fill(7), new Uint8Array(32).fill(8)];
const box = createSecretBox(older);
let api: TestApi;
let key: TestKey;
let db: Database;
/** As the worker connects. */
let worker: Database;

beforeAll(async () => {
  api = await startTestApi({
    environment: localWebhooks,
  });
  db = api.dependencies.database;
  key = await createTestKey(db);
  worker = connectDatabase(api.database.url, {
    applicationName: 'worker',
    connections: 1,
    role: 'launchwire_worker',
  });
  atEnd(() => worker.end({ timeout: 1 }));
});

interface Stored {
  secretBytes: number;
  hasPrevious: boolean;
  previousSecretExpiresAt: Date | null;
  version: number;
}

async function stored(id: string): Promise<Stored | undefined> {
  const [row] = await db<Stored[]>`
    select octet_length(sealed_secret) as secret_bytes, sealed_previous_secret is not null as has_previous,
      previous_secret_expires_at, version
    from webhook_endpoints where id = ${id}`;
  return row;
}

const sealed = (id: string) => sealWebhookSecret(box, id, generateWebhookSecret());

/** An endpoint in a rotation whose overlap ends this many minutes from now. */
async function rotating(minutes: number): Promise<string> {
  const id = Bun.randomUUIDv7();
  return insertEndpoint(db, {
    id,
    accountId: key.accountId,
    sealedSecret: sealed(id),
    sealedPreviousSecret: sealed(id),
    previousSecretExpiresAt: new Date(Date.now() + minutes * MINUTE_MS),
  });
}

describe('a secret that is no longer needed', () => {
  test('is erased with its endpoint', async () => {
    const id = await rotating(60);
    const response = await fetch(`${api.baseUrl}/webhook-endpoints/${id}`, {
      method: 'DELETE',
      headers: { ...key.header, 'idempotency-key': crypto.randomUUID(), 'if-match': '"1"' },
    });
    expect(response.status).toBe(200);
    expect(await stored(id)).toMatchObject({ secretBytes: 0, hasPrevious: false });
  });

  test('is erased some minutes after its rotation has ended, and nothing else of the endpoint changes', async () => {
    const [ended, graced, running] = [await rotating(-6), await rotating(-4), await rotating(1)];
    const before = await Promise.all([ended, graced, running].map(stored));
    await eraseSecrets(worker, 100);
    expect(await Promise.all([ended, graced, running].map(stored))).toEqual([
      { ...before[0], hasPrevious: false } as Stored,
      before[1],
      before[2],
    ]);
    expect(await eraseSecrets(worker, 100)).toBe(0);
  });

  test('is no secret that a change of SECRET_KEY misses', async () => {
    const id = await rotating(60);
    await eraseSecrets(worker, 100);
    const { webhookSecrets, isComplete } = await reEncryptSecrets(
      db,
      { secrets: createSecretBox(newer, [older]), orders: createSecretBox(newer, [older]) },
      () => {},
    );
    expect({ unreadable: webhookSecrets.unreadable, isComplete }).toEqual({
      unreadable: 0,
      isComplete: true,
    });
    expect(await stored(id)).toMatchObject({ hasPrevious: true });
  });
});
