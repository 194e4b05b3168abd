import { beforeAll, describe, expect, test } from 'bun:test';
import { remotePublicKeys, webhookVerifier } from 'launchwire/webhooks';
import { announceFailing, disableFailing } from '../../relay/maintenance/judge-failing.ts';
import { countFailing } from '../../relay/telemetry/metrics.ts';
import { createOutbox, type Outbox } from '../../src/outbox/append.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { eventType } from '../../src/shared/events/catalogue.ts';
import { createLogger } from '../../src/shared/log.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { expectProblem } from '../support/api/problems.ts';
import {
  createTestServiceKey,
  post,
  startTestInternalApi,
  type TestInternalApi,
} from '../support/internal/internal-api.ts';
import { runAdmin } from '../support/operations/admin-program.ts';
import { insertEndpoint } from '../support/rows/insert-endpoint.ts';
import { type Receiver, startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { createRelayWorld, type RelayWorld } from '../support/webhooks/webhook-relay.ts';

const log = createLogger('test', 'silent');
const [FAILING, DISABLED] = [eventType('webhook_endpoint.failing'), eventType('webhook_endpoint.disabled')];
const MINUTE_MS = 60_000;
let world: RelayWorld;
let api: TestApi;
let internal: TestInternalApi;
let outbox: Outbox;

beforeAll(async () => {
  world = await createRelayWorld({ WEBHOOK_RETRY_SCHEDULE: '3600' });
  const { environment } = world;
  const database = { url: world.config.databaseUrl } as TestApi['database'];
  api = await startTestApi({ database, environment });
  internal = await startTestInternalApi({ database, environment });
  outbox = createOutbox({ source: world.config.publicUrl, docsUrl: world.config.docsUrl }, systemClock);
});

/** A request of the platform's backend. */
async function setContact(accountId: string, url: string | null): Promise<Response> {
  const key = await createTestServiceKey(world.sql, { groups: ['accounts'] });
  return post(internal, key, '/account-contacts', { accountId, url });
}

async function contactOf(
  accountId: string,
): Promise<{ id: string; url: string; version: number } | undefined> {
  const [row] = await world.sql<{ id: string; url: string; version: number }[]>`
    select id, url, version from webhook_endpoints
    where account_id = ${accountId} and purpose = 'contact' and deleted_at is null`;
  return row;
}

async function eventsOf(endpointId: string, type: string): Promise<{ data: Record<string, unknown> }[]> {
  const rows = await world.sql<{ body: string }[]>`
    select body from events where subject = ${endpointId} and type = ${type} order by recorded_in, id`;
  return rows.map(({ body }) => JSON.parse(body));
}

/** An endpoint whose every attempt has failed for this time. */
async function failingFor(minutes: number, accountId: string): Promise<string> {
  const since = new Date(Date.now() - minutes * MINUTE_MS);
  return insertEndpoint(world.sql, {
    accountId,
    url: 'http://127.0.0.1:65535/',
    eventTypes: ['none'],
    createdAt: since,
    judgedFrom: since,
    failingSince: since,
  });
}

const announce = (...ids: string[]) => announceFailing({ sql: world.sql, outbox, log }, ids);
const ofType = (type: string) => (request: Receiver['requests'][number]) =>
  JSON.parse(String(request.body)).type === type;

describe('the contact of an account', () => {
  test('gets events, signed with its own key, when the only endpoint begins to fail and when it is disabled', async () => {
    const [broken, contact] = [await startReceiver(), await startReceiver()];
    broken.respond = (response) => response.writeHead(500).end();
    const { id, accountId } = await world.createEndpoint(broken.origin);
    expect((await setContact(accountId, contact.origin)).status).toBe(200);
    const contactId = (await contactOf(accountId))?.id ?? '';
    const hourAgo = new Date(Date.now() - 60 * MINUTE_MS);
    await world.sql`
      update webhook_endpoints set judged_from = ${hourAgo}, failing_since = ${hourAgo} where id = ${id}`;
    const stop = await world.startRelay({ sweepMs: 50 });
    const first = await world.publish({ accountId });
    await world.deliveryOf(id, first, ({ status }) => status === 'retrying');
    const [failing] = await contact.received(1, ofType(FAILING));
    const verifier = webhookVerifier({ publicKeys: remotePublicKeys(api.origin, { endpointId: contactId }) });
    const { event } = await verifier.verify(failing?.body ?? '', failing?.headers ?? {});
    expect(event).toMatchObject({ subject: id, data: { id, failingSince: hourAgo.toISOString() } });
    expect(failing?.headers['webhook-signature']).not.toContain('v1,');
    const daysAgo = new Date(Date.now() - 6 * 24 * 60 * MINUTE_MS);
    await world.sql`
      update webhook_endpoints set judged_from = ${daysAgo}, failing_since = ${daysAgo}, failing_announced = ${daysAgo}
      where id = ${id}`;
    // As a relay does at the next failure, ten minutes later at the earliest.
    expect(await disableFailing({ sql: world.sql, outbox, log }, [id])).toEqual([id]);
    const [disabled] = await contact.received(1, ofType(DISABLED));
    const told = await verifier.verify(disabled?.body ?? '', disabled?.headers ?? {});
    expect(told.event).toMatchObject({ subject: id, data: { disabledReason: 'failing' } });
    await stop();
    const types = contact.requests.map(({ body }) => JSON.parse(String(body)).type).sort();
    expect(types).toEqual([eventType('webhook.ping'), DISABLED, FAILING].sort());
  });

  test('gets no event for failures that are over within 20 minutes', async () => {
    const accountId = await world.createAccount();
    const [young, old] = [await failingFor(19, accountId), await failingFor(21, accountId)];
    expect(await announce(young, old)).toEqual([old]);
    expect(await eventsOf(young, FAILING)).toEqual([]);
  });

  test('gets one event for each series of failures, however many relays notice it', async () => {
    const accountId = await world.createAccount();
    const id = await failingFor(60, accountId);
    const looks = await Promise.all(Array.from({ length: 8 }, () => announce(id)));
    expect(looks.flat()).toEqual([id]);
    expect(await announce(id)).toEqual([]);
    expect(await eventsOf(id, FAILING)).toHaveLength(1);
    // A success, and failures again.
    await world.sql`update webhook_endpoints set failing_since = now() - interval '40 minutes' where id = ${id}`;
    expect(await announce(id)).toEqual([id]);
    expect(await eventsOf(id, FAILING)).toHaveLength(2);
  });

  test('still gets the event when a relay dies before it has written it, and events of other endpoints meanwhile', async () => {
    const accountId = await world.createAccount();
    const [broken, other] = [await failingFor(60, accountId), await failingFor(60, accountId)].sort();
    const dying: Outbox = {
      ...outbox,
      append: async (transaction, event) => {
        if (event.subject === broken) throw new Error('killed');
        return outbox.append(transaction, event);
      },
    };
    const ids = [broken ?? '', other ?? ''];
    expect(await announceFailing({ sql: world.sql, outbox: dying, log }, ids)).toEqual([other ?? '']);
    expect(await eventsOf(broken ?? '', FAILING)).toEqual([]);
    expect(await announce(...ids)).toEqual([broken ?? '']);
  });

  test('is never disabled for failing, because then no notice could reach the account', async () => {
    const accountId = await world.createAccount();
    await setContact(accountId, 'http://127.0.0.1:65535/');
    const contact = await contactOf(accountId);
    await world.sql`
      update webhook_endpoints set judged_from = now() - interval '9 days', failing_since = now() - interval '9 days'
      where id = ${contact?.id ?? ''}`;
    expect(await disableFailing({ sql: world.sql, outbox, log }, [contact?.id ?? ''])).toEqual([]);
  });
});

describe('the platform', () => {
  test('sets, moves and removes the contact of an account; the same again changes nothing', async () => {
    const accountId = await world.createAccount();
    const set = await (await setContact(accountId, 'http://127.0.0.1:8080/one')).json();
    const first = await contactOf(accountId);
    expect(set).toEqual({ accountId, endpointId: first?.id, url: 'http://127.0.0.1:8080/one' });
    await setContact(accountId, 'http://127.0.0.1:8080/one');
    expect(await contactOf(accountId)).toEqual(first);
    const pings = () => eventsOf(first?.id ?? '', eventType('webhook.ping'));
    expect(await pings()).toHaveLength(1);
    await setContact(accountId, 'http://127.0.0.1:8080/two');
    expect(await contactOf(accountId)).toMatchObject({
      id: first?.id,
      url: 'http://127.0.0.1:8080/two',
      version: 2,
    });
    expect(await pings()).toHaveLength(2);
    expect(await (await setContact(accountId, null)).json()).toEqual({
      accountId,
      endpointId: null,
      url: null,
    });
    expect(await contactOf(accountId)).toBeUndefined();
    expect((await setContact(accountId, null)).status).toBe(200);
  });

  test('has one contact of an account, however many set one at once', async () => {
    const accountId = await world.createAccount();
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, index) => setContact(accountId, `http://127.0.0.1:8080/${index}`)),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const { count } = await world.sql`select from webhook_endpoints where account_id = ${accountId}`;
    expect(count).toBe(1);
  });

  test('cannot set a contact that the URL policy refuses, nor one of an unknown account', async () => {
    const accountId = await world.createAccount();
    for (const url of ['http://10.0.0.1/', 'ftp://operator.example/', 'https://user@operator.example/']) {
      const { errors } = await expectProblem(await setContact(accountId, url), 'validation_failed');
      expect(errors?.[0]?.path).toBe('/body/url');
    }
    const unknown = await setContact(crypto.randomUUID(), 'http://127.0.0.1:8080/');
    const { errors } = await expectProblem(unknown, 'validation_failed');
    expect(errors?.[0]?.path).toBe('/body/accountId');
    expect(await contactOf(accountId)).toBeUndefined();
  });

  test('sets and removes it by the commands as well', async () => {
    const accountId = await world.createAccount();
    const run = (...args: string[]) =>
      runAdmin(['contact', ...args, '--account', accountId, '--json'], world.environment);
    const set = await run('set', '--url', 'http://127.0.0.1:8080/admin');
    expect(JSON.parse(set.output)).toMatchObject({ accountId, url: 'http://127.0.0.1:8080/admin' });
    expect(await contactOf(accountId)).toMatchObject({ url: 'http://127.0.0.1:8080/admin' });
    expect((await run('set', '--url', 'http://10.0.0.1/')).code).toBe(1);
    expect(JSON.parse((await run('remove')).output)).toMatchObject({ endpointId: null });
    expect(await contactOf(accountId)).toBeUndefined();
  });
});

describe('an account', () => {
  let key: TestKey;

  async function call(method: string, path: string, body?: object, version?: number): Promise<Response> {
    return fetch(`${api.baseUrl}/webhook-endpoints${path}`, {
      method,
      headers: {
        ...key.header,
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
        ...(version !== undefined && { 'if-match': `"${version}"` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  const url = 'http://127.0.0.1:8080/hook';

  test('makes one contact, beside its endpoints, without filters and with a secret', async () => {
    key = await createTestKey(world.sql, { scopes: ['webhooks:write', 'webhooks:read', 'operations:read'] });
    for (const filters of [{ eventTypes: ['*'] }, { subjects: [crypto.randomUUID()] }]) {
      const response = await call('POST', '', { url, purpose: 'contact', ...filters });
      await expectProblem(response, 'validation_failed');
    }
    const created = (await (await call('POST', '', { url, purpose: 'contact' })).json()) as Record<
      string,
      string
    >;
    expect(created).toMatchObject({
      purpose: 'contact',
      eventTypes: ['build.service.webhook_endpoint.*'],
      secret: expect.stringMatching(/^whsec_/),
    });
    const second = await expectProblem(
      await call('POST', '', { url, purpose: 'contact' }),
      'webhook_endpoint_limit_reached',
    );
    expect(second.context).toEqual({ limit: 1 });
    const [row] = await world.sql`select event_scopes from webhook_endpoints where id = ${created.id ?? ''}`;
    expect(row?.eventScopes).toEqual([]);
    for (let count = 0; count < 20; count += 1) expect((await call('POST', '', { url })).status).toBe(201);
    await expectProblem(await call('POST', '', { url }), 'webhook_endpoint_limit_reached');
    const { data } = (await (await call('GET', '')).json()) as { data: { purpose: string }[] };
    expect(data.filter(({ purpose }) => purpose === 'contact')).toHaveLength(1);
    const path = `/${created.id}`;
    await expectProblem(await call('PATCH', path, { eventTypes: ['*'] }, 1), 'validation_failed');
    await expectProblem(await call('PATCH', path, { purpose: 'subscription' }, 1), 'validation_failed');
    expect((await call('PATCH', path, { url: 'http://127.0.0.1:8080/other' }, 1)).status).toBe(200);
  });

  test('gives the contact that the platform made a secret by a rotation, before which there was none', async () => {
    key = await createTestKey(world.sql);
    await setContact(key.accountId, url);
    const contact = await contactOf(key.accountId);
    const response = await call('POST', `/${contact?.id}/secret-rotations`, {}, 1);
    expect(await response.json()).toMatchObject({
      secret: expect.stringMatching(/^whsec_/),
      previousSecretExpiresAt: null,
    });
  });
});

test('endpoints and contacts that have failed for 20 minutes are counted apart', async () => {
  const before = await countFailing(world.sql);
  const accountId = await world.createAccount();
  await failingFor(21, accountId);
  await failingFor(19, accountId);
  await setContact(accountId, 'http://127.0.0.1:65535/');
  await world.sql`
    update webhook_endpoints set judged_from = now() - interval '1 hour', failing_since = now() - interval '1 hour'
    where id = ${(await contactOf(accountId))?.id ?? ''}`;
  expect(await countFailing(world.sql)).toEqual({
    subscription: before.subscription + 1,
    contact: before.contact + 1,
  });
});
