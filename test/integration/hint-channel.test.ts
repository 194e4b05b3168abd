import { beforeAll, expect, test } from 'bun:test';
import { type HintChannel, openHintChannel } from '../../src/api/hint-channel.ts';
import { connectBus, type NatsConnection } from '../../src/shared/bus/connect.ts';
import { hints } from '../../src/shared/bus/topology.ts';
import { wait } from '../../src/shared/loop.ts';
import { silentLog } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTestNats } from '../support/servers/nats.ts';

let listener: NatsConnection;
let channel: HintChannel;
const heard: string[] = [];

beforeAll(async () => {
  const nats = await createTestNats();
  listener = await connectBus(nats.url, 'listener');
  atEnd(() => listener.close());
  for (const hint of [hints.broadcast, hints.outbox])
    listener.subscribe(hint, { callback: (_error, { subject }) => void heard.push(subject) });
  await listener.flush();
  channel = openHintChannel(nats.url, 'test', silentLog);
  atEnd(() => channel.close());
  await eventually('the channel is connected', async () => channel.isConnected());
});

test('hints of one moment are sent once each, and later ones again', async () => {
  for (let times = 0; times < 100; times += 1) channel.send(hints.broadcast, hints.outbox);
  await eventually('both arrived', async () => heard.length === 2);
  expect(heard.sort()).toEqual([hints.broadcast, hints.outbox].sort());
  // Within the pause after the last ones: sent when it is over.
  channel.send(hints.outbox);
  await eventually('the later one arrived', async () => heard.length === 3);
  channel.send(hints.outbox);
  channel.send(hints.broadcast);
  await eventually('the next two arrived', async () => heard.length === 5);
  expect(heard.filter((hint) => hint === hints.outbox).length).toBe(3);
});

test('a channel that is closed before its hints left ends quietly', async () => {
  channel.send(hints.outbox);
  await channel.close();
  channel.send(hints.outbox);
  await wait(5, new AbortController().signal);
  expect(channel.isConnected()).toBe(false);
});
