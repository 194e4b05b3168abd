import { beforeAll, expect, test } from 'bun:test';
import { type ConsumerMessages, jetstream } from '@nats-io/jetstream';
import type { NatsCluster, NatsNode } from '../../sandbox/services/nats-cluster.ts';
import type { Database } from '../../src/db/client.ts';
import { toDistribution } from '../../src/features/fees/record.ts';
import { createOrderMoves } from '../../src/features/orders/move-orders.ts';
import { recordMovements } from '../../src/features/presales/record-movements.ts';
import { upsertToken } from '../../src/features/tokens/upsert-token.ts';
import { FollowedSubjects } from '../../src/indexer/followed/followed-subjects.ts';
import { runIngest } from '../../src/indexer/ingest/run-ingest.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { outboxPublisher } from '../../src/outbox/outbox-publisher.ts';
import { connectBus, type NatsConnection } from '../../src/shared/bus/connect.ts';
import { consume } from '../../src/shared/bus/consume.ts';
import { ensureConsumer, readConsumer } from '../../src/shared/bus/durable-consumers.ts';
import { lookUps } from '../../src/shared/bus/managers.ts';
import { publishStored } from '../../src/shared/bus/publish.ts';
import { isTooOldForCluster } from '../../src/shared/bus/server-version.ts';
import { ensureStreams, findStream, streamNames } from '../../src/shared/bus/streams.ts';
import { consumers, EVENT_STREAM, INGEST_STREAM, ingestSubject } from '../../src/shared/bus/topology.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { newAddress, tokenMessage } from '../support/market/ingest-stream.ts';
import { runTestJob } from '../support/processes/run-job.ts';
import { asWorker, openDatabase, silentLog, startDueWork } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTestCluster } from '../support/servers/nats-cluster.ts';

const outbox = createOutbox(
  { source: 'https://api.test/api/v2', docsUrl: 'https://api.test/docs' },
  systemClock,
);
let cluster: NatsCluster;
let connection: NatsConnection;
let db: Database;

beforeAll(async () => {
  [cluster, db] = await Promise.all([createTestCluster(), openDatabase()]);
  if (isTooOldForCluster(cluster.version))
    throw new Error(
      `nats-server ${cluster.version} stops consumers after kills: put a newer one on PATH, or let apt-get reach Debian`,
    );
  const natsUrls = cluster.nodes.map(({ url }) => url);
  connection = await connectBus({ natsUrls, natsStreamReplicas: 3 }, 'test');
  atEnd(() => connection.close());
  await ensureStreams(connection, { move: true });
  await ensureConsumer(connection, consumers.relayPublic);
});

/** All nodes hold all messages of every stream. */
const settled = () =>
  eventually('every node is up to date', async () => {
    const manager = await lookUps(connection);
    const infos = await Promise.all(streamNames.map((name) => findStream(manager, name).catch(() => null)));
    return infos.every((info) => {
      const others = info?.cluster?.replicas ?? [];
      return others.length === 2 && others.every(({ current, offline }) => current && offline !== true);
    });
  });

const leaders = {
  'the leader of INGEST': async () => (await findStream(await lookUps(connection), INGEST_STREAM))?.cluster,
  'the leader of the ingest consumer': async () =>
    (await readConsumer(await lookUps(connection), consumers.ingest)).cluster,
  'the leader of the consumer of relays': async () =>
    (await readConsumer(await lookUps(connection), consumers.relayPublic)).cluster,
};

function leaderBy(read: (typeof leaders)[keyof typeof leaders]): Promise<string> {
  return eventually('it has a leader', async () => (await read().catch(() => null))?.leader);
}

/** Publishes a fact, or an event, when the last one has come through, until it is stopped. */
function feed(relayed: ReadonlySet<string>) {
  const stop = new AbortController();
  const facts: string[] = [];
  const events: string[] = [];
  const sendFacts = async () => {
    while (!stop.signal.aborted) {
      const mint = newAddress();
      const payload = JSON.stringify(tokenMessage(mint));
      // A fact is repeated with its id until the broker says that it is stored.
      await eventually('the broker stores a fact', () =>
        publishStored(jetstream(connection), ingestSubject('token'), payload, {
          msgID: mint,
          timeout: 500,
        }).then(
          () => true,
          () => false,
        ),
      );
      facts.push(mint);
      await eventually('the fact is applied', async () => {
        const [row] = await db`select 1 as found from tokens where mint_address = ${mint}`;
        return row !== undefined;
      });
    }
  };
  const sendEvents = async () => {
    while (!stop.signal.aborted) {
      const event = { name: 'launch.created', accountId: null, subject: 'subject', data: {} } as const;
      const id = await db.begin((transaction) => outbox.append(transaction, event));
      events.push(id);
      await eventually('the relay has the event', () => Promise.resolve(relayed.has(id)));
    }
  };
  const running = Promise.all([sendFacts(), sendFacts(), sendFacts(), sendEvents()]);
  return {
    facts,
    events,
    async stop() {
      stop.abort();
      await running;
    },
  };
}

/** A worker's ingest and publisher, and a reader of events as a relay has one, while `work` runs. */
async function withProcesses(work: (relayed: ReadonlySet<string>) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const { signal } = stop;
  const worker = asWorker(db);
  const relayed = new Set<string>();
  let reading: ConsumerMessages | null = null;
  const relay = async () => {
    const consumer = await ensureConsumer(connection, consumers.relayPublic);
    reading = await consume(connection, consumer, consumers.relayPublic, 100);
    for await (const message of reading) {
      relayed.add(message.headers?.get('Nats-Msg-Id') ?? '');
      message.ack();
    }
  };
  const running = [
    relay(),
    runIngest({
      connection,
      log: silentLog,
      signal,
      dependencies: {
        db: worker,
        clock: systemClock,
        outbox,
        upsertToken,
        findReportedPool: () => Promise.resolve(null),
        describeFeeDistribution: toDistribution,
        recordMovements,
        onTokensChanged() {},
        followed: new FollowedSubjects(),
        onTradesQueued: () => {},
        orders: createOrderMoves({ outbox, clock: systemClock }),
        onOrdersTriggered() {},
        onStakingChanged() {},
        onPresalesChanged() {},
      },
    }),
    runTestJob(outboxPublisher({ db: worker, connection, log: silentLog }), {
      connection,
      dueWork: startDueWork(worker, signal),
      signal,
    }),
  ];
  try {
    await work(relayed);
  } finally {
    stop.abort();
    (reading as ConsumerMessages | null)?.stop();
    await Promise.all(running);
  }
}

/** How often each id is stored, as this node reads the stream: it becomes the leader first. */
async function storedAt(node: NatsNode, name: string): Promise<Map<string, number>> {
  const { streams } = await lookUps(connection);
  const request = JSON.stringify({ placement: { preferred: node.name } });
  await eventually(`${node.name} leads ${name}`, async () => {
    if ((await streams.info(name).catch(() => null))?.cluster?.leader === node.name) return true;
    await connection.request(`$JS.API.STREAM.LEADER.STEPDOWN.${name}`, request).catch(() => {});
    return false;
  });
  const { state } = await streams.info(name);
  const found = new Map<string, number>();
  for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
    const message = await streams.getMessage(name, { seq });
    const id = message?.header.get('Nats-Msg-Id') ?? '';
    found.set(id, (found.get(id) ?? 0) + 1);
  }
  return found;
}

const once = (ids: readonly string[]) => new Map(ids.toSorted().map((id) => [id, 1]));
const sorted = (stored: Map<string, number>) => new Map([...stored].toSorted());

test('facts and events go on after kills of leaders and a node that stands: all are stored once, on every node', async () => {
  const facts: string[] = [];
  const events: string[] = [];
  await withProcesses(async (relayed) => {
    const feeding = feed(relayed);
    const goesOn = async () => {
      const [tokens, read] = [feeding.facts.length, feeding.events.length];
      await eventually('facts and events come through', () =>
        Promise.resolve(feeding.facts.length > tokens + 10 && feeding.events.length > read + 10),
      );
    };
    await goesOn();
    for (const read of Object.values(leaders)) {
      const node = cluster.node(await leaderBy(read));
      await node.kill();
      await goesOn();
      await node.start();
      await settled();
    }
    // Silent, with its connections open: the processes notice by themselves.
    const server = connection.getServer();
    const silent = cluster.nodes.find(({ port }) => server.endsWith(`:${port}`));
    if (silent?.pid === undefined) throw new Error(`${server} is no node that runs`);
    process.kill(silent.pid, 'SIGSTOP');
    try {
      await goesOn();
    } finally {
      process.kill(silent.pid, 'SIGCONT');
    }
    await settled();
    await feeding.stop();
    facts.push(...feeding.facts);
    events.push(...feeding.events);
  });
  for (const node of cluster.nodes) {
    expect(sorted(await storedAt(node, INGEST_STREAM))).toEqual(once(facts));
    expect(sorted(await storedAt(node, EVENT_STREAM))).toEqual(once(events));
  }
});
