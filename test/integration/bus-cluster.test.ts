import { beforeAll, describe, expect, test } from 'bun:test';
import { jetstream } from '@nats-io/jetstream';
import type { NatsCluster } from '../../sandbox/services/nats-cluster.ts';
import { checkBus } from '../../src/admin/doctor/check-bus.ts';
import { loadAdminConfig } from '../../src/config/load.ts';
import { streamUpkeep } from '../../src/outbox/stream-upkeep.ts';
import { connectBus, type NatsConnection } from '../../src/shared/bus/connect.ts';
import { lookUps } from '../../src/shared/bus/managers.ts';
import { ensureStreams, findStream, streamNames } from '../../src/shared/bus/streams.ts';
import { INGEST_STREAM, ingestSubject } from '../../src/shared/bus/topology.ts';
import { runTestJob } from '../support/processes/run-job.ts';
import { silentLog } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTestCluster } from '../support/servers/nats-cluster.ts';

let cluster: NatsCluster;
let connection: NatsConnection;

beforeAll(async () => {
  cluster = await createTestCluster();
  connection = await connect(3);
});

async function connect(natsStreamReplicas: number): Promise<NatsConnection> {
  const natsUrls = cluster.nodes.map(({ url }) => url);
  const made = await connectBus({ natsUrls, natsStreamReplicas }, 'test');
  atEnd(() => made.close());
  return made;
}

/** The replicas of each stream; null for one that does not answer, or is on its way to another number. */
async function replicas(): Promise<(number | null)[]> {
  const manager = await lookUps(connection);
  return Promise.all(
    streamNames.map(async (name) => {
      const info = await findStream(manager, name).catch(() => null);
      const others = info?.cluster?.replicas ?? [];
      const isSettled =
        others.length + 1 === info?.config.num_replicas && others.every(({ current }) => current);
      return isSettled ? info.config.num_replicas : null;
    }),
  );
}

const settledAt = (count: number) =>
  eventually(`every stream has ${count} replicas`, async () =>
    (await replicas()).every((one) => one === count),
  );

/** How often each `Nats-Msg-Id` is stored in a stream. */
async function storedIds(name: string): Promise<Map<string, number>> {
  const { streams } = await lookUps(connection);
  const { state } = await streams.info(name);
  const found = new Map<string, number>();
  for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
    const message = await streams.getMessage(name, { seq });
    const id = message?.header.get('Nats-Msg-Id') ?? '';
    found.set(id, (found.get(id) ?? 0) + 1);
  }
  return found;
}

async function doctor(natsStreamReplicas: number) {
  const config = loadAdminConfig(() => ({}), {
    DATABASE_URL: 'postgres://u:p@127.0.0.1/d',
    NATS_URL: cluster.url,
    NATS_STREAM_REPLICAS: String(natsStreamReplicas),
  });
  return (await checkBus(config)).map(({ check, state, detail }) => `${check} ${state}: ${detail}`);
}

test('a process connects to the node that is there, and to another one when that ends', async () => {
  const [one, two, three] = cluster.nodes;
  if (one === undefined || two === undefined || three === undefined) throw new Error('three nodes');
  await one.kill();
  const natsUrls = [one.url, two.url];
  const made = await connectBus({ natsUrls }, 'test');
  expect(made.getServer()).toBe(`127.0.0.1:${two.port}`);
  const reconnected = (async () => {
    for await (const status of made.status()) if (status.type === 'reconnect') return status.server;
    return null;
  })();
  // Neither address of its list is there any more: the cluster has named the third.
  await two.kill();
  expect(await reconnected).toBe(`127.0.0.1:${three.port}`);
  await made.close();
  await Promise.all([one.start(), two.start()]);
  await cluster.untilLed();
});

describe('replicas', () => {
  test('are made by several workers at once, and moved there and back without a lost message', async () => {
    const [single, another] = await Promise.all([connect(1), connect(1)]);
    await Promise.all([single, another].map((each) => ensureStreams(each, { move: true })));
    await settledAt(1);
    await jetstream(single).publish(ingestSubject('token'), '{}', { msgID: 'kept' });
    await Promise.all([1, 2, 3].map(() => ensureStreams(connection, { move: true })));
    await settledAt(3);
    // A worker that has another number and only looks after the streams moves nothing.
    await ensureStreams(single);
    await settledAt(3);
    await ensureStreams(single, { move: true });
    await settledAt(1);
    await ensureStreams(connection, { move: true });
    await settledAt(3);
    expect(await storedIds(INGEST_STREAM)).toEqual(new Map([['kept', 1]]));
    await (await lookUps(connection)).streams.purge(INGEST_STREAM);
  });

  test('are refused with a sentence where the cluster has too few nodes; the stream stays as it is', async () => {
    const greedy = await connect(5);
    const sentence =
      'NATS_STREAM_REPLICAS is 5, but the cluster has fewer nodes that can hold the stream EVENTS: add nodes, or set a smaller number';
    await expect(ensureStreams(greedy, { move: true })).rejects.toThrow(sentence);
    const said: unknown[] = [];
    const log = { ...silentLog, error: (facts: unknown) => said.push(facts) } as unknown as typeof silentLog;
    const stop = new AbortController();
    const upkeep = runTestJob(
      { ...streamUpkeep({ connection: greedy, log }), everyMs: 1 },
      { log, signal: stop.signal },
    );
    await eventually('it is logged', () => Promise.resolve(said.length > 0));
    stop.abort();
    await upkeep;
    expect(said).toEqual([{ reason: sentence }]);
    await settledAt(3);
    expect((await doctor(5)).slice(1)).toEqual(
      streamNames.map(
        (name) =>
          `stream ${name} failed: it has 3 replicas, NATS_STREAM_REPLICAS is 5: a worker moves it at its start, if the cluster has the nodes`,
      ),
    );
  });
});
