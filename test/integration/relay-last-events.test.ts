import { expect, test } from 'bun:test';
import { EventDeliverer, type EventDelivererDependencies } from '../../relay/deliver/deliver-events.ts';
import { EventLeases } from '../../relay/deliver/event-leases.ts';
import { EndpointBacklogs } from '../../relay/endpoints/endpoint-backlogs.ts';
import { EndpointCache } from '../../relay/endpoints/endpoint-cache.ts';
import { Slots } from '../../relay/endpoints/slots.ts';
import { defaultSettings } from '../../relay/model/settings.ts';
import { Counters } from '../../relay/telemetry/counters.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { createLogger } from '../../src/shared/log.ts';
import { createRelayWorld } from '../support/webhooks/webhook-relay.ts';

test('events that are taken while the relay ends, after its last attempt, get rows and are marked', async () => {
  const { sql, createAccount, createEndpoint, append } = await createRelayWorld();
  const endpoint = await createEndpoint('http://127.0.0.1:9/hooks');
  const cache = new EndpointCache(sql);
  await cache.refresh();
  const deliverer = new EventDeliverer({
    sql,
    outbox: createOutbox({ source: 'http://localhost', docsUrl: 'http://localhost/docs' }, systemClock),
    clock: systemClock,
    settings: defaultSettings,
    slots: new Slots(8, 1_000, () => 8),
    cache,
    backlogs: new EndpointBacklogs(sql),
    counters: new Counters(),
    limitOf: () => 8,
    isLive: () => true,
    onPending: () => {},
    giveUp: new AbortController().signal,
    log: createLogger('test', 'silent', []),
    // No attempt is made.
    attempts: undefined as unknown as EventDelivererDependencies['attempts'],
    recording: undefined as unknown as EventDelivererDependencies['recording'],
  });
  const leases = new EventLeases(sql, Bun.randomUUIDv7(), 20_000, () => cache.since);
  // An account without endpoints receives nothing, so only the mark of its event is written.
  const unheard = await append({ accountId: await createAccount() });
  const ids = [await append({}), await append({ accountId: endpoint.accountId }), unheard];
  const { events } = await leases.takeAnnounced(ids);
  await deliverer.finish();
  const received = await deliverer.deliver(events, false);
  expect(await Promise.all(received.map(({ done }) => done))).toEqual([true, true, true]);
  const unmarked = await sql`select from events_to_fan_out where event_id = any(${ids})`;
  expect(unmarked.count).toBe(0);
  expect(deliverer.events.size).toBe(0);
});
