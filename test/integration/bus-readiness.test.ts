import { expect, test } from 'bun:test';
import { openHintChannel } from '../../src/api/hint-channel.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { busReadiness } from '../../src/shared/bus/readiness.ts';
import { checkByAsking } from '../../src/shared/readiness.ts';
import { silentLog } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { startGate } from '../support/servers/bus-gate.ts';
import { createTestNats } from '../support/servers/nats.ts';

test('a broker that is connected and gives no answer is not ready, for a process that needs it and for the api', async () => {
  const gate = await startGate((await createTestNats()).url);
  const connection = await connectBus(gate.url, 'test');
  atEnd(() => connection.close());
  const channel = openHintChannel(gate.url, 'test', silentLog);
  atEnd(() => channel.close());
  await eventually('the channel is connected', async () => channel.isConnected());
  const readiness = busReadiness(() => connection);
  const both = async () =>
    (await Promise.all([readiness.check(), checkByAsking(channel.ask)])).map(({ ready }) => ready);
  expect(await both()).toEqual([true, true]);

  gate.isShut = true;
  const unanswered = async () => (await both()).every((ready) => !ready);
  // A round trip of the last second is shared, so the first look may still see it.
  await eventually('neither is ready', unanswered);
  expect(channel.isConnected()).toBe(true);
});

test('asking often costs one round trip a second', async () => {
  const gate = await startGate((await createTestNats()).url);
  const connection = await connectBus(gate.url, 'test');
  atEnd(() => connection.close());
  const readiness = busReadiness(() => connection);
  const before = gate.pings;
  const beganAtMs = performance.now();
  for (let times = 0; times < 200; times += 1) expect(await readiness.check()).toEqual({ ready: true });
  // biome-ignore lint/plugin: the bound grows with the time that it took
  const seconds = Math.ceil((performance.now() - beganAtMs) / 1_000);
  expect(gate.pings - before).toBeLessThanOrEqual(seconds + 1);
});
