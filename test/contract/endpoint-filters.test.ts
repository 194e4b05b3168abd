import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { eventCatalogue, eventNames, eventType, subjectForms } from '../../src/shared/events/catalogue.ts';
import type { Scope } from '../../src/shared/scopes.ts';
import type { FilterWarning } from '../../src/shared/webhooks/filter-matches.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { expectProblem } from '../support/api/problems.ts';
import { insertEvent } from '../support/rows/insert-event.ts';

const MINT = 'So11111111111111111111111111111111111111112';
const UUID = '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e';
const INTENTS = 'build.service.transaction_intent.*';

interface Endpoint {
  id: string;
  version: number;
  eventTypes: string[];
  subjects: string[] | null;
  warnings: FilterWarning[];
}

let api: TestApi;
let key: TestKey;

beforeAll(async () => {
  const RATE_LIMITS = JSON.stringify({ 'webhook-admin': { limit: 1_000, windowSeconds: 60 } });
  api = await startTestApi({
    environment: { RATE_LIMITS, WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: 'true' },
  });
});

/** An account holds 20 endpoints. */
beforeEach(async () => {
  key = await createTestKey(api.dependencies.database);
});

const send = (method: string, path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${api.baseUrl}${path}`, {
    method,
    headers: {
      ...key.header,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
      ...headers,
    },
    body: JSON.stringify(body),
  });
const create = (filters: object) =>
  send('POST', '/webhook-endpoints', { url: 'http://127.0.0.1:8080/hook', ...filters });
const change = ({ id, version }: Endpoint, body: object) =>
  send('PATCH', `/webhook-endpoints/${id}`, body, { 'if-match': `"${version}"` });
async function created(filters: object): Promise<Endpoint> {
  const response = await create(filters);
  expect(response.status).toBe(201);
  return (await response.json()) as Endpoint;
}
const get = async <Body>(path: string) =>
  (await (await fetch(`${api.baseUrl}${path}`, { headers: key.header })).json()) as Body;

describe('short names of events', () => {
  test.each(eventNames)('%s is kept as its full type', async (name) => {
    const subjects = eventCatalogue[name].audience === 'followers' ? { subjects: [MINT] } : {};
    expect(await created({ eventTypes: [name], ...subjects })).toMatchObject({
      eventTypes: [eventType(name)],
    });
  });

  test('prefixes, full names and repetitions of either form are kept once each', async () => {
    const endpoint = await created({
      eventTypes: ['order.landed', 'launch.*', 'build.service.order.landed.v1', 'build.service.launch.*'],
    });
    const full = ['build.service.order.landed.v1', 'build.service.launch.*'];
    expect(endpoint.eventTypes).toEqual(full);
    const changed = await change(endpoint, { eventTypes: ['transaction_intent.*', '*', 'build.*'] });
    expect(await changed.json()).toMatchObject({ eventTypes: [INTENTS, '*', 'build.*'] });
  });

  test.each([
    ['order.landd', 'the nearest is build.service.order.landed.v1'],
    ['orders.*', 'the nearest is build.service.order.*'],
    ['wallet.*', 'expected a type such as'],
    ['landed', 'the nearest is build.service.order.landed.v1'],
    ['order.landed.v1', 'the nearest is build.service.order.landed.v1'],
  ])('%s is none', async (filter, hint) => {
    const { errors } = await expectProblem(await create({ eventTypes: [filter] }), 'validation_failed');
    expect(errors?.[0]).toMatchObject({ path: '/body/eventTypes/0', code: 'invalid_value' });
    expect(errors?.[0]?.message).toContain(hint);
  });

  test('the list of events and that of deliveries take them, and their cursors fit both forms', async () => {
    const { database } = api.dependencies;
    for (let count = 0; count < 2; count += 1)
      await insertEvent(database, {
        type: eventType('order.landed'),
        accountId: key.accountId,
        subject: UUID,
      });
    const page = await get<{ data: { type: string }[]; page: { nextCursor: string } }>(
      '/events?type=order.landed&limit=1',
    );
    expect(page.data.map(({ type }) => type)).toEqual([eventType('order.landed')]);
    const next = await get<{ data: unknown[] }>(
      `/events?type=${eventType('order.landed')}&limit=1&cursor=${page.page.nextCursor}`,
    );
    expect(next.data).toHaveLength(1);
    expect((await get<{ data: unknown[] }>('/events?type=order.*')).data).toHaveLength(2);
    const { id } = await created({});
    for (const type of ['webhook.ping', eventType('webhook.ping')])
      expect(await get<object>(`/webhook-endpoints/${id}/deliveries?eventType=${type}`)).toMatchObject({
        data: [],
      });
  });
});

describe('filters that no event matches', () => {
  test.each(eventNames)('%s refuses a subject of another form, and names its own', async (name) => {
    const { subject } = eventCatalogue[name];
    const form = subjectForms[subject];
    const [wrong, right] = form === 'uuid' ? [MINT, UUID] : [UUID, MINT];
    const { errors } = await expectProblem(
      await create({ eventTypes: [name], subjects: [wrong] }),
      'validation_failed',
    );
    const article = /^[aeiou]/.test(subject) ? 'an' : 'a';
    expect(errors).toEqual([
      {
        path: '/body/subjects/0',
        code: 'invalid_value',
        message: `is ${wrong === MINT ? 'an address' : 'an id'}, and the subject of ${eventType(name)} events is ${article} ${subject}`,
      },
    ]);
    if (form === 'other') return;
    expect((await created({ eventTypes: [name], subjects: [right] })).warnings).toEqual([]);
  });

  test('are refused at each subject, with what the types have', async () => {
    const { errors } = await expectProblem(
      await create({
        eventTypes: [INTENTS, 'build.service.operation.*'],
        subjects: [MINT, '11111111111111111111111111111111'],
      }),
      'validation_failed',
    );
    expect(errors?.map(({ path }) => path)).toEqual(['/body/subjects/0', '/body/subjects/1']);
    expect(errors?.[1]?.message).toBe(
      `is an address, and the subject of ${INTENTS} and build.service.operation.* events is an intent id or an operation id`,
    );
  });

  test('up to three types are named', async () => {
    const types = eventNames
      .filter((name) => subjectForms[eventCatalogue[name].subject] === 'uuid')
      .map(eventType);
    const [first, second, third] = types;
    for (const [count, named] of [
      [3, `${first}, ${second} and ${third} events`],
      [4, 'these event types'],
    ] as const) {
      const asked = await create({ eventTypes: types.slice(0, count), subjects: [MINT] });
      const { errors } = await expectProblem(asked, 'validation_failed');
      expect(errors?.[0]?.message).toContain(`, and the subject of ${named} is `);
    }
  });

  test('a change is judged together with what stays, and a refused one changes nothing', async () => {
    const endpoint = await created({ eventTypes: [INTENTS], subjects: [UUID] });
    const bySubjects = await expectProblem(await change(endpoint, { subjects: [MINT] }), 'validation_failed');
    expect(bySubjects.errors).toEqual([
      {
        path: '/body/subjects/0',
        code: 'invalid_value',
        message: `is an address, and the subject of ${INTENTS} events is an intent id`,
      },
    ]);
    const byTypes = await expectProblem(
      await change(endpoint, { eventTypes: ['launch.*', 'fee_distribution.completed'] }),
      'validation_failed',
    );
    expect(byTypes.errors?.[0]).toEqual({
      path: '/body/eventTypes/0',
      code: 'invalid_value',
      message: 'is never sent: its subject is a mint, and each of the subjects is an id',
    });
    expect(byTypes.errors).toHaveLength(2);
    expect(await get<Endpoint>(`/webhook-endpoints/${endpoint.id}`)).toEqual(
      expect.objectContaining({ eventTypes: [INTENTS], subjects: [UUID], version: 1, warnings: [] }),
    );
    const both = await change(endpoint, { eventTypes: ['launch.*'], subjects: [MINT] });
    expect(await both.json()).toMatchObject({ subjects: [MINT], version: 2, warnings: [] });
  });

  test('no request is refused for what was stored before: any other change still works', async () => {
    const endpoint = await created({ eventTypes: [INTENTS], subjects: [UUID] });
    await api.dependencies.database`
      update webhook_endpoints set subjects = ${[MINT]} where id = ${endpoint.id}`;
    const changed = await change(endpoint, { description: 'renamed' });
    expect(changed.status).toBe(200);
    expect(((await changed.json()) as Endpoint).warnings.map(({ path }) => path)).toEqual([
      '/eventTypes/0',
      '/subjects/0',
    ]);
  });
});

describe('warnings', () => {
  test('name the types and subjects of a combination that never match, in every view of the endpoint', async () => {
    const eventTypes = ['transaction_intent.confirmed', 'token.traded'];
    const endpoint = await created({ eventTypes, subjects: [MINT] });
    const warnings = [
      {
        path: '/eventTypes/0',
        message: 'is never sent: its subject is an intent id, and each of the subjects is an address',
      },
    ];
    expect(endpoint.warnings).toEqual(warnings);
    expect((await get<Endpoint>(`/webhook-endpoints/${endpoint.id}`)).warnings).toEqual(warnings);
    const { data } = await get<{ data: Endpoint[] }>('/webhook-endpoints');
    expect(data.map((one) => one.warnings)).toEqual([warnings]);
    const changed = await change(endpoint, { eventTypes: ['token.traded'], subjects: [MINT, UUID] });
    expect(((await changed.json()) as Endpoint).warnings).toEqual([
      {
        path: '/subjects/1',
        message:
          'names nothing that is sent, nor does any other that is an id: the subject of build.service.token.traded.v1 events is a mint',
      },
    ]);
  });

  test('name types that the key which created the endpoint may not read', async () => {
    const scopes: Scope[] = ['webhooks:read', 'webhooks:write', 'predictions:read'];
    key = await createTestKey(api.dependencies.database, { scopes });
    const eventTypes = ['*', 'transaction_intent.*', 'prediction.submitted', 'launch.*'];
    expect((await created({ eventTypes })).warnings).toEqual([
      {
        path: '/eventTypes/1',
        message: 'is never sent: the key that created the endpoint lacks operations:read',
      },
    ]);
  });

  test('an endpoint of all events and one of all subjects have none', async () => {
    for (const filters of [{}, { subjects: [MINT, UUID] }, { eventTypes: ['*'], subjects: [MINT] }])
      expect((await created(filters)).warnings).toEqual([]);
  });
});
