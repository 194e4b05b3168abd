import { beforeAll, describe, expect, test } from 'bun:test';
import { setTokenHidden } from '../../src/features/tokens/hide-token.ts';
import { upsertToken } from '../../src/features/tokens/upsert-token.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { eventType } from '../../src/shared/events/catalogue.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { expectProblem } from '../support/api/problems.ts';
import { newAddress, tokenMessage } from '../support/market/ingest-stream.ts';
import { insertAttempt } from '../support/rows/insert-attempt.ts';
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
  pausedUntil: string | null;
  pauseReason: string | null;
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

test('a cursor that was signed before a list had other filters than the status goes on', async () => {
  const { database, cursors } = api.dependencies;
  const endpointId = await newEndpoint();
  const eventIds = await insertEvents(database, 2);
  const rows = eventIds.map((eventId) => ({ endpointId, eventId, status: 'succeeded' as const }));
  const [older = '', newer = ''] = (await insertDeliveries(database, rows)).toSorted();
  for (const status of [null, 'succeeded']) {
    const cursor = cursors.sign([newer], ['listWebhookDeliveries', endpointId, status]);
    const filter = status === null ? '' : `&status=${status}`;
    const page = await call(`/webhook-endpoints/${endpointId}/deliveries?cursor=${cursor}${filter}`);
    expect(await page.json()).toMatchObject({ data: [{ id: older }] });
  }
});

describe('one delivery', () => {
  test('is shown to its account alone', async () => {
    const { database } = api.dependencies;
    const endpointId = await newEndpoint();
    const deliveredAt = new Date('2026-11-20T10:00:00Z');
    const id = await insertDelivery(database, {
      endpointId,
      eventId: await insertEvent(database),
      attemptCount: 3,
      responseStatus: 204,
      deliveredAt,
    });
    const failed = await insertDelivery(database, {
      endpointId: await newEndpoint(),
      eventId: await insertEvent(database),
      status: 'retrying',
      attemptCount: 2,
      responseStatus: 500,
      lastErrorCode: 'http_500',
    });
    expect(await (await call(`/webhook-deliveries/${id}`)).json()).toMatchObject({
      attemptCount: 3,
      responseStatus: 204,
      deliveredAt: deliveredAt.toISOString(),
    });
    expect(await (await call(`/webhook-deliveries/${failed}`)).json()).toMatchObject({
      attemptCount: 2,
      responseStatus: 500,
      lastErrorCode: 'http_500',
      deliveredAt: null,
    });
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
  });

  test('stays readable for its account when its endpoint is deleted, alone and in lists, with its attempts', async () => {
    const { database } = api.dependencies;
    const endpointId = await newEndpoint();
    const eventId = await insertEvent(database);
    const ofType = { eventType: eventType('launch.created'), status: 'dead_letter' } as const;
    const id = await insertDelivery(database, { endpointId, eventId, ...ofType });
    await insertAttempt(database, { deliveryId: id, succeeded: false, errorCode: 'http_500' });
    const one = `/webhook-deliveries/${id}`;
    const ofEndpoint = `/webhook-endpoints/${endpointId}/deliveries`;
    const paths = [
      one,
      `${one}/attempts`,
      ofEndpoint,
      `${ofEndpoint}?status=dead_letter&eventType=${eventType('launch.created')}`,
      `${ofEndpoint}?eventId=${eventId}&limit=1`,
    ];
    const read = () => Promise.all(paths.map(async (path) => (await call(path)).json()));
    const before = await read();
    await database`update webhook_endpoints set deleted_at = now() where id = ${endpointId}`;
    expect(await read()).toEqual(before);
    expect(before[3]).toMatchObject({ data: [{ id }] });
    const stranger = await createTestKey(database);
    for (const path of paths) {
      const code = path.startsWith(one) ? 'webhook_delivery_not_found' : 'webhook_endpoint_not_found';
      await expectProblem(await call(path, 'GET', stranger), code);
    }
    await expectProblem(await call(`/webhook-endpoints/${endpointId}`), 'webhook_endpoint_not_found');
    const { context } = await expectProblem(
      await call(`${one}/replays`, 'POST'),
      'webhook_delivery_not_replayable',
    );
    expect(context).toEqual({ status: 'dead_letter', endpointStatus: 'deleted' });
    await expectProblem(await call(`${one}/replays`, 'POST', stranger), 'webhook_delivery_not_found');
  });

  test.each([
    ['disabled', "status = 'disabled', disabled_reason = 'manual'"],
    ['deleted', 'deleted_at = now()'],
  ])('is not sent early to an endpoint that is %s', async (endpointStatus, change) => {
    const { database } = api.dependencies;
    const endpointId = await newEndpoint();
    const eventId = await insertEvent(database);
    const id = await insertDelivery(database, { endpointId, eventId, status: 'retrying' });
    await database`update webhook_endpoints set ${database.unsafe(change)} where id = ${endpointId}`;
    const refused = await call(`/webhook-deliveries/${id}/retries`, 'POST');
    const { context } = await expectProblem(refused, 'webhook_delivery_not_retrying');
    expect(context).toEqual({ status: 'retrying', endpointStatus });
  });

  test('shows that its endpoint is paused, until when and why, and so do retry and replay', async () => {
    const { database } = api.dependencies;
    const endpointId = await newEndpoint();
    const eventIds = await insertEvents(database, 3);
    const inDays = (days: number) => new Date(Date.now() + days * 24 * HOUR_MS);
    const ids = await insertDeliveries(database, [
      { endpointId, eventId: eventIds[0] ?? '', status: 'retrying', nextAttemptAt: inDays(0) },
      { endpointId, eventId: eventIds[1] ?? '', status: 'retrying', nextAttemptAt: inDays(2) },
      { endpointId, eventId: eventIds[2] ?? '', status: 'succeeded' },
    ]);
    const pausedUntil = inDays(1);
    const pause = { pausedUntil: pausedUntil.toISOString(), pauseReason: 'http_429' };
    await database`
      update webhook_endpoints set paused_until = ${pausedUntil}, pause_reason = 'http_429' where id = ${endpointId}`;
    const read = async (path: string, method = 'GET') =>
      (await (await call(path, method)).json()) as Delivery & { data: Delivery[] };
    const pauseOf = ({ nextAttemptAt, pausedUntil, pauseReason }: Delivery) => ({
      nextAttemptAt,
      pausedUntil,
      pauseReason,
    });
    const { data } = await read(`/webhook-endpoints/${endpointId}/deliveries`);
    const [ended, later, due] = data;
    if (ended === undefined || later === undefined || due === undefined) return expect.unreachable();
    expect(pauseOf(due)).toEqual({ ...pause, nextAttemptAt: pause.pausedUntil });
    expect(pauseOf(later)).toMatchObject(pause);
    expect(Date.parse(later.nextAttemptAt ?? '')).toBeGreaterThan(pausedUntil.getTime());
    expect(pauseOf(ended)).toEqual({ nextAttemptAt: null, pausedUntil: null, pauseReason: null });
    // It is due at the end of the pause, not now.
    expect(pauseOf(await read(`/webhook-deliveries/${ids[1]}/retries`, 'POST'))).toEqual(pauseOf(due));
    expect(pauseOf(await read(`/webhook-deliveries/${ids[2]}/replays`, 'POST'))).toEqual(pauseOf(due));
    expect(await read(`/webhook-endpoints/${endpointId}`)).toMatchObject(pause);
    expect((await read('/webhook-endpoints')).data.at(-1)).toMatchObject(pause);
    // A pause that is over is not shown.
    await database`update webhook_endpoints set paused_until = now() where id = ${endpointId}`;
    const free = { pausedUntil: null, pauseReason: null };
    expect(await read(`/webhook-endpoints/${endpointId}`)).toMatchObject(free);
    expect(await read(`/webhook-deliveries/${ids[0]}`)).toMatchObject(free);
  });

  test('about a hidden token is not replayed until the token is shown again; others are', async () => {
    const { database } = api.dependencies;
    const endpointId = await newEndpoint();
    const mint = newAddress();
    const token = { ...tokenMessage(mint), launchType: 'dbc', status: 'bonding' } as const;
    await database.begin((transaction) =>
      upsertToken(transaction, api.dependencies.outbox, systemClock, token),
    );
    const type = eventType('launch.created');
    const [hidden, other] = await insertDeliveries(database, [
      { endpointId, eventId: await insertEvent(database, { type, subject: mint }) },
      { endpointId, eventId: await insertEvent(database, { type, subject: newAddress() }) },
    ]);
    const replay = (id = '') => call(`/webhook-deliveries/${id}/replays`, 'POST');
    await database.begin((transaction) => setTokenHidden(transaction, mint, true));
    await expectProblem(await replay(hidden), 'webhook_delivery_not_replayable');
    expect((await replay(other)).status).toBe(202);
    await database.begin((transaction) => setTokenHidden(transaction, mint, false));
    expect((await replay(hidden)).status).toBe(202);
  });

  test('that is replayed returns its Location', async () => {
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
    // Two requests at once count as one.
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
  test('of an event and an endpoint shows one delivery, if it fits the other filters', async () => {
    const { database } = api.dependencies;
    const [endpointId, sibling] = [await newEndpoint(), await newEndpoint()];
    const stranger = await insertEndpoint(database, {
      accountId: (await createTestKey(database)).accountId,
    });
    const eventId = await insertEvent(database);
    const createdAt = new Date(Date.now() - HOUR_MS);
    const [id = ''] = await insertDeliveries(
      database,
      [endpointId, sibling, stranger].map((endpoint) => ({ endpointId: endpoint, eventId, createdAt })),
    );
    const idsOf = async (query: string) => {
      const response = await call(`/webhook-endpoints/${endpointId}/deliveries?eventId=${eventId}${query}`);
      const { data } = (await response.json()) as { data: Delivery[] };
      return data.map((delivery) => delivery.id);
    };
    const at = (ms: number) => new Date(createdAt.getTime() + ms).toISOString();
    const fitting = [
      '',
      '&status=succeeded',
      '&limit=1',
      `&createdAfter=${at(0)}`,
      `&createdBefore=${at(1)}`,
    ];
    for (const query of fitting) expect([query, await idsOf(query)]).toEqual([query, [id]]);
    const others = [
      '&status=pending',
      `&eventType=${eventType('launch.failed')}`,
      `&createdAfter=${at(1)}`,
      `&createdBefore=${at(0)}`,
    ];
    for (const query of others) expect([query, await idsOf(query)]).toEqual([query, []]);
  });

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
