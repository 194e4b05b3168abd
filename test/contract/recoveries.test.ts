import { beforeAll, expect, test } from 'bun:test';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { expectProblem } from '../support/api/problems.ts';
import { insertEndpoint } from '../support/rows/insert-endpoint.ts';

let api: TestApi;
let key: TestKey;

beforeAll(async () => {
  api = await startTestApi();
  key = await createTestKey(api.dependencies.database);
});

const recover = (endpointId: string, body: object, idempotencyKey: string = crypto.randomUUID()) =>
  fetch(`${api.baseUrl}/webhook-endpoints/${endpointId}/recoveries`, {
    method: 'POST',
    headers: { ...key.header, 'idempotency-key': idempotencyKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const newEndpoint = (more: object = {}) =>
  insertEndpoint(api.dependencies.database, { accountId: key.accountId, ...more });
const since = new Date(Date.now() - 3_600_000).toISOString();

test('a recovery is an operation of the account, one at a time for each endpoint, and one for each idempotency key', async () => {
  const endpointId = await newEndpoint();
  const idempotencyKey = crypto.randomUUID();
  const response = await recover(endpointId, { since }, idempotencyKey);
  expect(response.status).toBe(202);
  const operation = (await response.json()) as { id: string; kind: string; status: string };
  expect(operation).toMatchObject({ kind: 'delivery_recovery', status: 'queued' });
  const [row] = await api.dependencies.database`select input from operations where id = ${operation.id}`;
  expect(row?.input).toMatchObject({ statuses: ['missed', 'retrying', 'dead_letter'] });
  expect(response.headers.get('location')).toBe(`/api/v2/operations/${operation.id}`);
  const repeated = await recover(endpointId, { since }, idempotencyKey);
  expect(((await repeated.json()) as { id: string }).id).toBe(operation.id);
  const { context } = await expectProblem(await recover(endpointId, { since }), 'operation_limit_reached');
  expect(context).toEqual({ limit: 1 });
  const other = await newEndpoint();
  const both = await Promise.all([recover(other, { since }), recover(other.toUpperCase(), { since })]);
  expect(both.map(({ status }) => status).sort()).toEqual([202, 409]);
});

test('a recovery is refused for disabled endpoints, future times and unknown statuses', async () => {
  await expectProblem(await recover(crypto.randomUUID(), { since }), 'webhook_endpoint_not_found');
  const strange = await createTestKey(api.dependencies.database);
  const foreign = await insertEndpoint(api.dependencies.database, { accountId: strange.accountId });
  await expectProblem(await recover(foreign, { since }), 'webhook_endpoint_not_found');
  const disabled = await newEndpoint({ status: 'disabled', disabledReason: 'failing' });
  const { context } = await expectProblem(await recover(disabled, { since }), 'webhook_endpoint_disabled');
  expect(context).toEqual({ status: 'disabled', disabledReason: 'failing' });
  const endpointId = await newEndpoint();
  const future = { since: new Date(Date.now() + 60_000).toISOString() };
  for (const body of [
    {},
    future,
    { since, statuses: [] },
    { since, statuses: ['pending'] },
    { since, more: 1 },
  ])
    await expectProblem(await recover(endpointId, body), 'validation_failed');
  const { count } = await api.dependencies.database`
    select from operations where input ->> 'endpointId' in (${endpointId}, ${disabled}, ${foreign})`;
  expect(count).toBe(0);
});
