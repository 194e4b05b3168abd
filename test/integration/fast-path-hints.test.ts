import { expect, test } from 'bun:test';
import type { FanOutCoordinator } from '../../relay/fan-out/coordinator.ts';
import { fastPathLoops } from '../../relay/fan-out/fast-path.ts';
import type { Audience } from '../../relay/model/event.ts';
import { Counters } from '../../relay/telemetry/counters.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { accountEventsAdded, hints } from '../../src/shared/bus/topology.ts';
import { silentLog } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTestNats } from '../support/servers/nats.ts';

const nats = await createTestNats();
const connection = await connectBus(nats.url, 'test');
atEnd(() => connection.close());

/** The loops of a relay that looks for events with `fanOut`. */
async function looking(
  fanOut: (audience: Audience) => { deliveries: number; more: boolean },
  use: () => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const coordinator = {
    fanOutCommitted: async (audience: Audience) => fanOut(audience),
    finish: async () => {},
  } as unknown as FanOutCoordinator;
  const loops = fastPathLoops(
    { connection, coordinator, counters: new Counters(), log: silentLog },
    stop.signal,
  );
  try {
    await connection.flush();
    await use();
  } finally {
    stop.abort();
    await Promise.all(loops);
  }
}

test('a hint of account events does not concern public ones, and a hint without a kind concerns both', async () => {
  const looks: Audience[] = [];
  const look = (audience: Audience) => {
    looks.push(audience);
    return { deliveries: 0, more: false };
  };
  await looking(look, async () => {
    connection.publish(accountEventsAdded.hint, accountEventsAdded.payload);
    await eventually('account events are looked for', async () => looks.length === 1);
    connection.publish(hints.outbox);
    await eventually('both are looked for', async () => looks.length === 3);
  });
  expect(looks.toSorted()).toEqual(['account', 'account', 'public']);
});

test('one hint causes one look-up, unless there may be more events', async () => {
  const rounds = [true, true, false];
  let looks = 0;
  const look = (audience: Audience) => {
    if (audience === 'public') return { deliveries: 0, more: false };
    looks += 1;
    return { deliveries: 0, more: rounds.shift() ?? false };
  };
  await looking(look, async () => {
    connection.publish(accountEventsAdded.hint, accountEventsAdded.payload);
    await eventually('all are taken', async () => rounds.length === 0);
    connection.publish(accountEventsAdded.hint, accountEventsAdded.payload);
    await eventually('the next hint is heard', async () => looks === 4);
  });
});
