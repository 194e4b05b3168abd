import { beforeAll, describe, expect, test } from 'bun:test';
import { remotePublicKeys, webhookVerifier } from 'launchwire/webhooks';
import { pino } from 'pino';
import { announceFailing, disableFailing } from '../../relay/maintenance/judge-failing.ts';
import { countFailing } from '../../relay/telemetry/metrics.ts';
import { createOutbox, type Outbox } from '../../src/outbox/append.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { eventType } from '../../src/shared/events/catalogue.ts';
import { createLogger } from '../../src/shared/log.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { insertEndpoint } from '../support/rows/insert-endpoint.ts';
import { type Receiver, startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { createRelayWorld, type RelayWorld } from '../support/webhooks/webhook-relay.ts';

const log = createLogger('test', 'silent');
const [FAILING, DISABLED] = [eventType('webhook_endpoint.failing'), eventType('webhook_endpoint.disabled')];
const MINUTE_MS = 60_000;
let world: RelayWorld;
let api: TestApi;
let outbox: Outbox;

beforeAll(async () => {
  world = await createRelayWorld({ WEBHOOK_RETRY_SCHEDULE: '3600' });
  const { environment } = world;
  const database = { url: world.config.databaseUrl } as TestApi['database'];
  api = await startTestApi({ database, environment });
  outbox = createOutbox({ source: world.config.publicUrl, docsUrl: world.config.docsUrl }, systemClock);
});

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

describe('an endpoint that selects events about the others', () => {
  test('gets events, signed with its own key, when another begins to fail and when it is disabled', async () => {
    const [broken, watcher] = [await startReceiver(), await startReceiver()];
    broken.respond = (response) => response.writeHead(500).end();
    const { id, accountId } = await world.createEndpoint(broken.origin);
    const { id: watcherId } = await world.createEndpoint(watcher.origin, {
      accountId,
      eventTypes: ['build.service.webhook_endpoint.*'],
    });
    const hourAgo = new Date(Date.now() - 60 * MINUTE_MS);
    await world.sql`
      update webhook_endpoints set judged_from = ${hourAgo}, failing_since = ${hourAgo} where id = ${id}`;
    const stop = await world.startRelay({ sweepMs: 50 });
    const first = await world.publish({ accountId });
    await world.deliveryOf(id, first, ({ status }) => status === 'retrying');
    const [failing] = await watcher.received(1, ofType(FAILING));
    const verifier = webhookVerifier({ publicKeys: remotePublicKeys(api.origin, { endpointId: watcherId }) });
    const { event } = await verifier.verify(failing?.body ?? '', failing?.headers ?? {});
    expect(event).toMatchObject({ subject: id, data: { id, failingSince: hourAgo.toISOString() } });
    const daysAgo = new Date(Date.now() - 6 * 24 * 60 * MINUTE_MS);
    await world.sql`
      update webhook_endpoints set judged_from = ${daysAgo}, failing_since = ${daysAgo}, failing_announced = ${daysAgo}
      where id = ${id}`;
    // As a relay does at the next failure, ten minutes later at the earliest.
    expect(await disableFailing({ sql: world.sql, outbox, log }, [id])).toEqual([id]);
    const [disabled] = await watcher.received(1, ofType(DISABLED));
    const told = await verifier.verify(disabled?.body ?? '', disabled?.headers ?? {});
    expect(told.event).toMatchObject({ subject: id, data: { disabledReason: 'failing' } });
    await stop();
    const types = watcher.requests.map(({ body }) => JSON.parse(String(body)).type).sort();
    expect(types).toEqual([DISABLED, FAILING].sort());
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
});

test('endpoints that have failed for 20 minutes are counted; one that has recovered is neither counted nor announced', async () => {
  const before = await countFailing(world.sql);
  const accountId = await world.createAccount();
  await failingFor(21, accountId);
  await failingFor(19, accountId);
  const well = await failingFor(60, accountId);
  await world.sql`
    update webhook_endpoints set failing_since = null, failing_announced = now() - interval '1 hour' where id = ${well}`;
  expect(await countFailing(world.sql)).toBe(before + 1);
  const refused: string[] = [];
  const errors = pino({ level: 'error' }, { write: (line: string) => void refused.push(line) });
  expect(await announceFailing({ sql: world.sql, outbox, log: errors }, [well])).toEqual([]);
  expect(refused).toEqual([]);
});
