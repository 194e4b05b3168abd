import { expect, test } from 'bun:test';
import { pino } from 'pino';
import { StoreWatch } from '../../src/outbox/store-watch.ts';
import { streamUpkeep } from '../../src/outbox/stream-upkeep.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { storeFaults } from '../../src/shared/bus/store-faults.ts';
import { ensureStreams } from '../../src/shared/bus/streams.ts';
import { runTestJob } from '../support/processes/run-job.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { startGate } from '../support/servers/bus-gate.ts';
import { createTestNats } from '../support/servers/nats.ts';

interface Line extends Record<string, unknown> {
  msg: string;
}

const asksForStreams = (text: string) => text.includes('$JS.API.STREAM');

/** A worker's upkeep of the streams behind a gate that can hold its requests back. */
async function stage() {
  const gate = await startGate((await createTestNats()).url);
  const connection = await connectBus(gate.url, 'test');
  await ensureStreams(connection);
  const lines: Line[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Line) });
  const stop = new AbortController();
  const upkeep = runTestJob(
    { ...streamUpkeep({ connection, log }), everyMs: 50 },
    { log, signal: stop.signal },
  );
  atEnd(async () => {
    stop.abort();
    await upkeep;
    await connection.close();
  });
  const said = (msg: string) => lines.filter((line) => line.msg === msg);
  return { gate, connection, log, said, server: new URL(gate.url).host };
}

test('a server that answers pings and for no stream is named once, with what to do, and so is its recovery', async () => {
  const { gate, said, server } = await stage();
  gate.holdsBack = asksForStreams;
  await eventually('it is named', async () => said('bus.store_failed').length > 0);
  // Two more looks find the same.
  const connections = gate.connections;
  await eventually('it was looked at again', async () => gate.connections >= connections + 2);
  gate.holdsBack = () => false;
  await eventually('it has recovered', async () => said('bus.store_recovered').length > 0);
  const facts = { server, serverName: expect.any(String), fault: 'silent' };
  expect(said('bus.store_failed')).toEqual([
    expect.objectContaining({ ...facts, remedy: storeFaults.silent }),
  ]);
  expect(said('bus.store_recovered')).toEqual([expect.objectContaining(facts)]);
});

test('a connection that alone gets no answers is made anew', async () => {
  const { gate, said, server } = await stage();
  gate.holdsBack = (text, at) => at === 0 && asksForStreams(text);
  await eventually('it is made anew', async () => said('loop.recovered').length > 0);
  expect(said('bus.connection_stuck')).toEqual([expect.objectContaining({ server })]);
  expect(said('bus.store_failed')).toEqual([]);
});

test('a server that was only slow keeps its connection', async () => {
  const { connection, log, said } = await stage();
  await new StoreWatch(connection, log).onSilence();
  expect([...said('bus.store_failed'), ...said('bus.connection_stuck')]).toEqual([]);
});

test('a broker that is away or hangs is not said to have a full disk', async () => {
  const { gate, connection, log, said } = await stage();
  const looking = new StoreWatch(connection, log);
  gate.isShut = true;
  await looking.onSilence();
  expect([...said('bus.store_failed'), ...said('bus.connection_stuck')]).toEqual([]);
});

test('one batch without an acknowledgement proves nothing, two in a row do', async () => {
  const { connection, log, said } = await stage();
  const watch = new StoreWatch(connection, log);
  watch.onUnacknowledged();
  watch.onAnswer();
  watch.onUnacknowledged();
  expect(said('bus.store_failed')).toEqual([]);
  watch.onUnacknowledged();
  watch.onUnacknowledged();
  expect(said('bus.store_failed')).toEqual([
    expect.objectContaining({ fault: 'stores_nothing', remedy: storeFaults.stores_nothing }),
  ]);
});
