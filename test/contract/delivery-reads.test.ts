import { beforeAll, describe, expect, test } from 'bun:test';
import { eventType } from '../../src/shared/events/catalogue.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { expectProblem } from '../support/api/problems.ts';
import { insertDeliveries, insertDelivery } from '../support/rows/insert-delivery.ts';
import { insertEndpoint } from '../support/rows/insert-endpoint.ts';
import { insertEvent, insertEvents } from '../support/rows/insert-event.ts';

const HOUR_MS = 3_600_000;
let api: TestApi;
let key: TestKey;

beforeAll(async () => {
  api = await startTestApi();
  key = await createTestKey(api.dependencies.database);
});

interface Delivery {
  id: string;
  status: string;
  attemptCount: number;
  nextAttemptAt: string | null;
}

const call = (path: string, method = 'GET', owner = key) =>
  fetch(`${api.baseUrl}${path}`, {
    method,
    headers: {
      ...owner.header,
      ...(method === 'POST' && { 'idempotency-key': crypto.randomUUID() as string }),
    },
  });

const newEndpoint = () => insertEndpoint(api.dependencies.database, { accountId: key.accountId });

describe('one delivery', () => {
  test('is shown to its account alone, and not once its endpoint is deleted', async () => {
    const { database } = api.dependencies;
    const endpointId = await newEndpoint();
    const id = await insertDelivery(database, { endpointId, eventId: await insertEvent(database) });
    const shown = (await (await call(`/webhook-deliveries/${id}`)).json()) as Delivery;
    const { data } = (await (await call(`/webhook-endpoints/${endpointId}/deliveries`)).json()) as {
      data: Delivery[];
    };
    expect(data).toEqual([shown]);
    const stranger = await createTestKey(database);
    await expectProblem(
      await call(`/webhook-deliveries/${id}`, 'GET', stranger),
      'webhook_delivery_not_found',
    );
    await database`update webhook_endpoints set deleted_at = now() where id = ${endpointId}`;
    await expectProblem(await call(`/webhook-deliveries/${id}`), 'webhook_delivery_not_found');
  });

  test('that is replayed says where it is', async () => {
    const { database } = api.dependencies;
    const id = await insertDelivery(database, {
      endpointId: await newEndpoint(),
      eventId: await insertEvent(database),
    });
    const replayed = await call(`/webhook-deliveries/${id}/replays`, 'POST');
    expect(replayed.headers.get('location')).toBe(`/api/v2/webhook-deliveries/${id}`);
  });

  test('that is retrying is due at once on request, and keeps its place in the schedule', async () => {
    const { database } = api.dependencies;
    const nextAttemptAt = new Date(Date.now() + 5 * HOUR_MS);
    const id = await insertDelivery(database, {
      endpointId: await newEndpoint(),
      eventId: await insertEvent(database),
      status: 'retrying',
      attemptCount: 4,
      scheduleIndex: 4,
      nextAttemptAt,
    });
    const stranger = await createTestKey(database);
    const path = `/webhook-deliveries/${id}/retries`;
    await expectProblem(await call(path, 'POST', stranger), 'webhook_delivery_not_found');
    // Two at once are as one.
    for (const response of await Promise.all([call(path, 'POST'), call(path, 'POST')])) {
      expect(response.status).toBe(202);
      expect(response.headers.get('location')).toBe(`/api/v2/webhook-deliveries/${id}`);
    }
    const [row] = await database`
      select status, schedule_index, attempt_count, replay_count, next_attempt_at <= now() as due
      from webhook_deliveries where id = ${id}`;
    expect(row).toEqual({ status: 'retrying', scheduleIndex: 4, attemptCount: 4, replayCount: 0, due: true });
  });

  test.each(['pending', 'processing', 'succeeded', 'dead_letter'] as const)(
    'that is %s is not sent early',
    async (status) => {
      const { database } = api.dependencies;
      const endpointId = await newEndpoint();
      const id = await insertDelivery(database, { endpointId, eventId: await insertEvent(database), status });
      const refused = await call(`/webhook-deliveries/${id}/retries`, 'POST');
      const { context } = await expectProblem(refused, 'webhook_delivery_not_retrying');
      expect(context).toEqual({ status });
    },
  );
});

describe('the list of deliveries', () => {
  test('is filtered by event, type and time, and cursors fit only their filters', async () => {
    const { database } = api.dependencies;
    const endpointId = await newEndpoint();
    const rare = eventType('launch.failed');
    const events = await insertEvents(database, 700);
    const start = Date.now() - 700_000;
    const ids = await insertDeliveries(
      database,
      events.map((eventId, at) => ({
        endpointId,
        eventId,
        eventType: at % 300 === 0 ? rare : eventType('launch.created'),
        createdAt: new Date(start + at * 1_000),
      })),
    );
    const list = async (query: string) => {
      const response = await call(`/webhook-endpoints/${endpointId}/deliveries?${query}`);
      return (await response.json()) as {
        data: Delivery[];
        page: { hasMore: boolean; nextCursor: string | null };
      };
    };
    const idsOf = async (query: string) => (await list(query)).data.map(({ id }) => id);
    expect(await idsOf(`eventId=${events[5]}`)).toEqual([ids[5] ?? '']);
    expect(await idsOf(`eventId=${events[5]}&status=pending`)).toEqual([]);
    const from = new Date(start + 10_000).toISOString();
    const to = new Date(start + 13_000).toISOString();
    expect(await idsOf(`createdAfter=${from}&createdBefore=${to}`)).toEqual(ids.slice(10, 13).reverse());
    const found: string[] = [];
    let pages = 0;
    for (let cursor: string | null = ''; cursor !== null; pages += 1) {
      const query = `eventType=${rare}&limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const page = await list(query);
      expect(page.page.hasMore).toBe(page.page.nextCursor !== null);
      found.push(...page.data.map(({ id }) => id));
      cursor = page.page.nextCursor;
    }
    expect(found).toEqual([ids[600] ?? '', ids[300] ?? '', ids[0] ?? '']);
    expect(pages).toBeLessThan(8);
    const { nextCursor } = (await list(`eventType=${rare}`)).page;
    const path = `/webhook-endpoints/${endpointId}/deliveries?cursor=${nextCursor}`;
    await expectProblem(await call(path), 'cursor_invalid');
    await expectProblem(await call(`${path}&eventType=unknown`), 'validation_failed');
  });
});
