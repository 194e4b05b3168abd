import { expect, test } from 'bun:test';
import { connect } from '@nats-io/transport-node';
import { readPublished } from '../../src/outbox/read-published.ts';
import { ensureStreams } from '../../src/shared/bus/streams.ts';
import { PUBLIC_EVENT_SUBJECT } from '../../src/shared/bus/topology.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { createTestNats } from '../support/servers/nats.ts';

test('published events are read past messages that are no events', async () => {
  const nats = await createTestNats();
  const bus = await connect({ servers: nats.url });
  atEnd(() => bus.close());
  await ensureStreams(bus);
  const event = JSON.stringify({ id: 'event 1', type: 'build.service.test.v1', subject: 'subject' });
  for (const message of ['no JSON', 'null', '{"id":1}', event]) {
    await bus.request(PUBLIC_EVENT_SUBJECT, message);
  }
  const published = await readPublished(bus, { since: new Date(0), limit: 10 });
  expect(published).toMatchObject({ isComplete: true, events: [{ id: 'event 1', body: event }] });
  expect(published.events).toHaveLength(1);
});
