import { expect, test } from 'bun:test';
import { startTestApi } from '../support/api/api.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { localWebhooks } from '../support/api/local-webhooks.ts';
import { runAdmin } from '../support/operations/admin-program.ts';
import { insertDelivery } from '../support/rows/insert-delivery.ts';
import { insertEvent } from '../support/rows/insert-event.ts';

const api = await startTestApi({ environment: localWebhooks });
const key = await createTestKey(api.dependencies.database);

function list(...args: string[]) {
  return runAdmin(['endpoint', 'list', ...args], { DATABASE_URL: api.database.url });
}

async function createEndpoint(path: string): Promise<{ id: string; secret: string }> {
  const response = await fetch(`${api.baseUrl}/webhook-endpoints`, {
    method: 'POST',
    headers: {
      ...key.header,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify({ url: `http://127.0.0.1:8080/${path}` }),
  });
  expect(response.status).toBe(201);
  return (await response.json()) as { id: string; secret: string };
}

async function addDelivery(endpointId: string, status: 'succeeded' | 'dead_letter'): Promise<void> {
  const { database } = api.dependencies;
  const eventId = await insertEvent(database, { accountId: key.accountId });
  await insertDelivery(database, { endpointId, eventId, status });
}

test('endpoint list: the public records and deliveries by status, and nothing secret', async () => {
  const [busy, idle, deleted] = [
    await createEndpoint('a'),
    await createEndpoint('b'),
    await createEndpoint('c'),
  ];
  for (const status of ['succeeded', 'succeeded', 'dead_letter'] as const) await addDelivery(busy.id, status);
  await api.dependencies.database`update webhook_endpoints set deleted_at = now() where id = ${deleted.id}`;
  const { code, output } = await list('--account', key.accountId, '--json');
  expect(code).toBe(0);
  // The command line has no SECRET_KEY, from which the keys are derived.
  const { secret: _, signingKeyIds: __, ...publicRecord } = busy as typeof busy & { signingKeyIds: string[] };
  const none = { pending: 0, processing: 0, succeeded: 0, retrying: 0, dead_letter: 0 };
  const { endpoints } = JSON.parse(output) as { endpoints: { id: string; deliveries: object }[] };
  expect(endpoints[0]).toEqual({ ...publicRecord, deliveries: { ...none, succeeded: 2, dead_letter: 1 } });
  expect(endpoints.slice(1)).toMatchObject([{ id: idle.id, deliveries: none }]);
  expect(output).not.toMatch(/whsec_|sealed/i);
});

test('an account without endpoints has an empty list; an unknown one is refused; no UUID is a usage error', async () => {
  const { accountId } = await createTestKey(api.dependencies.database);
  const [empty, unknown, malformed] = await Promise.all([
    list('--account', accountId, '--json'),
    list('--account', Bun.randomUUIDv7(), '--json'),
    list('--account', 'mine', '--json'),
  ]);
  expect([empty.code, empty.output.trim()]).toEqual([0, '{"endpoints":[]}']);
  expect(unknown.code).toBe(1);
  expect(unknown.output).toContain('does not exist');
  expect(malformed.code).toBe(2);
});
