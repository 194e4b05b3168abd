import { expect, test } from 'bun:test';
import { createClient } from 'launchwire';
import { createOperation } from '../../src/features/operations/create-operation.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { startTestApi } from '../support/api/api.ts';
import { createTestKey } from '../support/api/api-keys.ts';

test('the client follows the stream of the real api, continues it, and gets its refusals', async () => {
  const api = await startTestApi();
  const key = await createTestKey(api.dependencies.database);
  const client = createClient({ baseUrl: api.origin, apiKey: key.text });
  const { database } = api.dependencies;
  const make = () =>
    database.begin((sql) =>
      createOperation(sql, systemClock, { accountId: key.accountId, kind: 'work', input: {} }),
    );
  const first = await make();
  let cursor: string | undefined;
  const kinds: string[] = [];
  for await (const message of client.stream({ topics: ['operations', 'events'] }, { heartbeats: true })) {
    kinds.push(message.event);
    if ('id' in message && message.id !== undefined) cursor = message.id;
    if (message.event === 'operation') expect(message.data.id).toBe(first.id);
    if (message.event === 'heartbeat') break;
  }
  expect(kinds).toEqual(['ready', 'operation', 'heartbeat']);
  const second = await make();
  for await (const message of client.stream({ topics: ['operations', 'events'], cursor })) {
    if (message.event !== 'operation') continue;
    expect(message.data.id).toBe(second.id);
    break;
  }
  const refused = await client
    .stream({ topics: ['nothing'] })
    .next()
    .catch((error) => error);
  expect(refused).toMatchObject({ code: 'validation_failed', operation: 'openStream' });
});
