import { beforeAll, describe, expect, test } from 'bun:test';
import { createPublicKey } from 'node:crypto';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { verifyAsync } from '@noble/ed25519';
import { CloudEvent, HTTP } from 'cloudevents';
import { webhookVerifier } from 'launchwire/webhooks';
import { Webhook } from 'standardwebhooks';
import { EventLeases } from '../../relay/deliver/event-leases.ts';
import { FanOutCoordinator } from '../../relay/fan-out/coordinator.ts';
import { EventBodies } from '../../relay/retry/event-bodies.ts';
import { Counters } from '../../relay/telemetry/counters.ts';
import { documentedEvents } from '../../src/documentation/events/documented-events.ts';
import { outboxPublisher } from '../../src/outbox/outbox-publisher.ts';
import { consumers, EVENT_STREAM, eventSubject } from '../../src/shared/bus/topology.ts';
import { systemClock } from '../../src/shared/clock.ts';
import {
  type EventName,
  eventCatalogue,
  eventType,
  followedTypes,
} from '../../src/shared/events/catalogue.ts';
import { createSecretBox } from '../../src/shared/secret-box.ts';
import { generateWebhookSecret, sealWebhookSecret } from '../../src/shared/webhooks/secret.ts';
import { WebhookSigningKeys } from '../../src/shared/webhooks/signing-keys.ts';
import { runTestJob } from '../support/processes/run-job.ts';
import { silentLog, startDueWork } from '../support/processes/worker-context.ts';
import { eventually } from '../support/run/eventually.ts';
import { captureRequests } from '../support/webhooks/captured-requests.ts';
import { libraryRefusals, type SignedMessage } from '../support/webhooks/signed-messages.ts';
import { forEvent, startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { createRelayWorld, isSettled, type RelayWorld } from '../support/webhooks/webhook-relay.ts';

let world: RelayWorld;
beforeAll(async () => {
  world = await createRelayWorld({ WEBHOOK_RETRY_SCHEDULE: '0.05,0.05,3600' });
  await world.startRelay({ reconcileMs: 200, reconcileAgeMs: 1_000, sweepMs: 50, compareMs: 200 });
  await world.startRelay();
});

/** Rotates the secret of an endpoint like the operation; both sign for an hour. */
async function rotateSecret(endpointId: string): Promise<string> {
  const box = createSecretBox(world.config.secretKey);
  const secret = generateWebhookSecret();
  await world.sql`
    update webhook_endpoints set sealed_secret = ${sealWebhookSecret(box, endpointId, secret)},
      sealed_previous_secret = sealed_secret, previous_secret_expires_at = now() + interval '1 hour'
    where id = ${endpointId}`;
  return secret;
}

describe('the request to a subscriber', () => {
  test('is the stored CloudEvent, with the headers of an attempt', async () => {
    const receiver = await startReceiver();
    const endpoint = await world.createEndpoint(`${receiver.origin}/hook`);
    const id = await world.publish();
    const [request] = await receiver.received(1, forEvent(id));
    if (request === undefined) throw new Error('no request');
    const [event] = await world.sql<{ body: string }[]>`select body from events where id = ${id}`;
    expect(request.body.toString()).toBe(event?.body ?? '');
    expect(request.headers['content-type']).toBe('application/cloudevents+json; charset=utf-8');
    expect(request.headers['user-agent']).toBe('Launchwire-Relay/test');
    expect(request.headers['launchwire-attempt']).toBe('1');
    const delivery = await world.deliveryOf(endpoint.id, id, isSettled);
    expect(delivery).toMatchObject({
      status: 'succeeded',
      attemptCount: 1,
      responseStatus: 204,
      lastErrorCode: null,
    });
    expect(delivery.id[14]).toBe('7');
    expect(request.headers['launchwire-delivery-id']).toBe(delivery.id);
    const [attempt] = await world.sql`select * from webhook_attempts where delivery_id = ${delivery.id}`;
    expect(attempt).toMatchObject({
      attemptNumber: 1,
      succeeded: true,
      resolvedAddress: '127.0.0.1',
      redirectCount: 0,
    });
    expect(attempt?.finishedAt).toBeInstanceOf(Date);
  });

  test('of every event type is verified by others’ libraries, with either secret and with the key of the endpoint', async () => {
    const { url, requests } = await captureRequests();
    // Trades match their type alone; the product addresses only events of accounts to one endpoint.
    const eventTypes = ['*', ...followedTypes];
    const { id: onlyEndpointId, accountId, secret: old } = await world.createEndpoint(url, { eventTypes });
    const young = await rotateSecret(onlyEndpointId);
    const odd = { text: '\u0000\u2028\ufeff🚀\ud800 "\\/', __proto__: null };
    const examples = [
      ...Object.entries(documentedEvents).map(([name, { subject, example }]) => ({
        name,
        subject,
        data: example,
      })),
      { name: 'launch.created', subject: '🚀 grüße', data: odd },
    ];
    const sent = new Map<string, (typeof examples)[number]>();
    for (const event of examples) {
      const { audience } = eventCatalogue[event.name as EventName];
      const owner = audience === 'account' ? { accountId } : {};
      sent.set(
        await world.publish({ ...event, ...owner, name: event.name as EventName, onlyEndpointId }),
        event,
      );
    }
    const received = () => new Set(requests.map(({ headers }) => headers['webhook-id']));
    await eventually('every delivery', async () => received().size === sent.size);
    const publicKey = new WebhookSigningKeys(world.config, new Date(0)).ofEndpoint(onlyEndpointId)[0];
    const { x = '' } = createPublicKey(publicKey ?? '').export({ format: 'jwk' });
    const ours = [old, young].map((secrets) => webhookVerifier({ secrets }));
    ours.push(webhookVerifier({ publicKeys: `whpk_${Buffer.from(x, 'base64url').toString('base64')}` }));
    for (const { headers, body } of requests) {
      const text = body.toString();
      const id = headers['webhook-id'] ?? '';
      const signatures = headers['webhook-signature']?.split(' ') ?? [];
      const message = { headers, body: text } as unknown as SignedMessage;
      for (const secret of [old, young])
        expect(libraryRefusals(message, [secret])).toEqual([undefined, undefined]);
      const content = Buffer.from(`${id}.${headers['webhook-timestamp']}.${text}`);
      const bytesOf = (part: string) => Buffer.from(part.slice('v1a,'.length), 'base64');
      const own = signatures.filter((part) => part.startsWith('v1a,')).map(bytesOf);
      const isOwn = await Promise.all(
        own.map((signature) => verifyAsync(signature, content, Buffer.from(x, 'base64url'))),
      );
      expect(isOwn).toContain(true);
      expect(HTTP.isEvent({ headers, body: text })).toBe(true);
      const event = HTTP.toEvent({ headers, body: text });
      if (!(event instanceof CloudEvent)) throw new Error('not one event');
      expect(event.validate()).toBe(true);
      const { name, subject, data } = sent.get(id) ?? {};
      expect(event).toMatchObject({ id, subject, type: eventType(name as EventName) });
      expect(event.data).toEqual(JSON.parse(JSON.stringify(data)));
      for (const verifier of ours) {
        const { event: read } = await verifier.verify(body, headers);
        expect(read as unknown).toEqual(JSON.parse(text));
      }
    }
    expect([...received()].sort()).toEqual([...sent.keys()].sort());
  });

  test('has the same bytes and id on every attempt, and is signed afresh', async () => {
    const receiver = await startReceiver({
      respond: (response, _request, index) => response.writeHead(index < 2 ? 500 : 200).end('answer'),
    });
    const endpoint = await world.createEndpoint(receiver.origin);
    const id = await world.publish();
    const requests = await receiver.received(3, forEvent(id));
    expect(new Set(requests.map(({ body }) => body.toString())).size).toBe(1);
    expect(requests.map((request) => request.headers['launchwire-attempt'])).toEqual(['1', '2', '3']);
    for (const request of requests) new Webhook(endpoint.secret).verify(request.body, request.headers);
    expect(await world.deliveryOf(endpoint.id, id, isSettled)).toMatchObject({
      status: 'succeeded',
      attemptCount: 3,
    });
    const attempts = await world.sql`
      select attempt.error_code, attempt.response_status, attempt.response_body from webhook_attempts as attempt
      join webhook_deliveries as delivery on delivery.id = attempt.delivery_id
      where delivery.event_id = ${id} and delivery.endpoint_id = ${endpoint.id} order by attempt_number`;
    expect(attempts.map(({ errorCode }) => errorCode)).toEqual(['http_500', 'http_500', null]);
    expect(String(attempts[0]?.responseBody)).toBe('answer');
  });

  test('passes with the old secret during a rotation and fails after it', async () => {
    const receiver = await startReceiver();
    const endpoint = await world.createEndpoint(receiver.origin);
    const rotated = await rotateSecret(endpoint.id);
    const during = await world.publish();
    const [overlap] = await receiver.received(1, forEvent(during));
    await world.sql`update webhook_endpoints set previous_secret_expires_at = now() where id = ${endpoint.id}`;
    const after = await world.publish();
    const [final] = await receiver.received(1, forEvent(after));
    if (overlap === undefined || final === undefined) throw new Error('no request');
    new Webhook(endpoint.secret).verify(overlap.body, overlap.headers);
    new Webhook(rotated).verify(overlap.body, overlap.headers);
    new Webhook(rotated).verify(final.body, final.headers);
    expect(() => new Webhook(endpoint.secret).verify(final.body, final.headers)).toThrow();
  });
});

describe('the receivers of an event', () => {
  test('exactly one delivery per endpoint, also with duplicate messages and two relays', async () => {
    const receiver = await startReceiver();
    const accountId = await world.createAccount();
    const endpoints = await Promise.all(
      Array.from({ length: 20 }, () => world.createEndpoint(receiver.origin, { accountId })),
    );
    const ids = await Promise.all(Array.from({ length: 10 }, () => world.append({ accountId })));
    // JetStream drops copies by their id, so the copies come from beside it, all at the same time.
    const copies = Array.from({ length: 8 }, () => {
      const leases = new EventLeases(world.sql, Bun.randomUUIDv7(), 20_000);
      const bodies = new EventBodies(world.sql);
      const shared = { sql: world.sql, clock: systemClock, fastPathMs: 5_000, tracing: undefined };
      const other = { ...shared, bodies, leases, onPending() {}, counters: new Counters() };
      return new FanOutCoordinator(other).fanOutAnnounced(ids);
    });
    await Promise.all([...copies, ...ids.map((id) => world.announce(id))]);
    await receiver.received(ids.length * endpoints.length);
    await Promise.all(
      endpoints.flatMap(({ id }) => ids.map((eventId) => world.deliveryOf(id, eventId, isSettled))),
    );
    const [rows] = await world.sql`
      select count(*)::int as count from webhook_deliveries where event_id = any(${ids}::uuid[])`;
    expect(rows?.count).toBe(200);
    expect(receiver.requests).toHaveLength(200);
  });

  test('account events reach only their owner, public events everyone, limited by filters and age', async () => {
    const receiver = await startReceiver();
    const at = (path: string, options: { accountId?: string; eventTypes?: string[] } = {}) =>
      world.createEndpoint(`${receiver.origin}/${path}`, options);
    const accountId = await world.createAccount();
    await at('owner', { accountId });
    await at('stranger');
    await at('exact', { accountId, eventTypes: ['build.service.operation.succeeded.v1'] });
    await at('prefix', { accountId, eventTypes: ['build.service.operation.*'] });
    await at('other-type', { accountId, eventTypes: ['build.service.launch.*', 'build.service.operation'] });
    const late = await at('late', { accountId });
    await world.sql`update webhook_endpoints set created_at = now() + interval '1 hour' where id = ${late.id}`;
    const owned = await world.publish({ accountId });
    await receiver.received(3, forEvent(owned));
    const open = await world.publish();
    await receiver.received(3, forEvent(open));
    const ping = await world.publish({ name: 'webhook.ping', accountId, onlyEndpointId: late.id });
    await receiver.received(1, forEvent(ping));
    const pathsOf = (id: string) =>
      receiver.requests
        .filter(forEvent(id))
        .map(({ path }) => path)
        .sort();
    expect(pathsOf(owned)).toEqual(['/exact', '/owner', '/prefix']);
    expect(pathsOf(open)).toEqual(['/other-type', '/owner', '/stranger']);
    expect(pathsOf(ping)).toEqual(['/late']);
  });
});

describe('the broker carries, Postgres is the truth', () => {
  test('foreign messages are parked and block no others', async () => {
    const receiver = await startReceiver();
    const endpoint = await world.createEndpoint(receiver.origin);
    const js = jetstream(world.connection);
    const subject = eventSubject(endpoint.accountId);
    await js.publish(subject, 'garbage');
    const unknown = headers();
    unknown.set('Nats-Msg-Id', Bun.randomUUIDv7());
    await js.publish(subject, '{}', { headers: unknown });
    const id = await world.publish({ accountId: endpoint.accountId });
    await receiver.received(1, forEvent(id));
    const manager = await jetstreamManager(world.connection);
    await eventually('nothing is left', async () => {
      const info = await manager.consumers.info(EVENT_STREAM, consumers.relayAccount.name);
      return info.num_ack_pending + info.num_pending === 0;
    });
  });

  test('an event that the broker never delivered is found and sent', async () => {
    const receiver = await startReceiver();
    await world.createEndpoint(receiver.origin);
    const id = await world.append({});
    await world.sql`delete from events_to_publish where event_id = ${id}`;
    await receiver.received(1, forEvent(id));
  });

  test('a delivery row that disappeared is made again', async () => {
    const receiver = await startReceiver();
    const endpoint = await world.createEndpoint(receiver.origin);
    const id = await world.publish();
    const { id: deliveryId } = await world.deliveryOf(endpoint.id, id, isSettled);
    await world.sql`delete from webhook_attempts where delivery_id = ${deliveryId}`;
    await world.sql`delete from webhook_deliveries where id = ${deliveryId}`;
    await receiver.received(2, forEvent(id));
  });

  test('a deleted stream is made again by the worker that publishes, and events flow through it', async () => {
    const receiver = await startReceiver();
    await world.createEndpoint(receiver.origin);
    const manager = await jetstreamManager(world.connection);
    await manager.streams.delete(EVENT_STREAM);
    const stop = new AbortController();
    const { sql: db, connection } = world;
    const publisher = outboxPublisher({ db, connection, log: silentLog });
    const publishing = runTestJob(publisher, {
      connection,
      dueWork: startDueWork(db, stop.signal),
      signal: stop.signal,
    });
    const lost = await world.append({});
    await receiver.received(1, forEvent(lost));
    await eventually('both consumers', async () => {
      const info = await manager.streams.info(EVENT_STREAM).catch(() => null);
      return info?.state.consumer_count === 2;
    });
    const id = await world.append({});
    await receiver.received(1, forEvent(id));
    stop.abort();
    await publishing;
  });
});
