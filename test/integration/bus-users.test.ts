import { beforeAll, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { RunningChild } from '../../sandbox/services/child-process.ts';
import { connectBus, type NatsConnection } from '../../src/shared/bus/connect.ts';
import { openHintChannel } from '../../src/shared/bus/hint-channel.ts';
import { consumers, EVENT_STREAM, hints, INGEST_REJECTED_STREAM } from '../../src/shared/bus/topology.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { startApiProcess } from '../support/api/api-process.ts';
import { readReadiness } from '../support/http/readiness.ts';
import { newAddress, tokenMessage, tradeMessage } from '../support/market/ingest-stream.ts';
import { runAdmin } from '../support/operations/admin-program.ts';
import { startRelayProcess, startWorkerProcess } from '../support/processes/service-processes.ts';
import { silentLog } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import {
  type BusUser,
  type BusWithUsers,
  busUsers,
  startBusWithUsers,
} from '../support/servers/bus-with-users.ts';
import { sharedRedisUrl } from '../support/servers/services.ts';
import { startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { createRelayWorld, type RelayWorld } from '../support/webhooks/webhook-relay.ts';

/** The names that the processes connect under, which their inboxes carry. */
const names: Readonly<Record<BusUser, string>> = {
  api: 'launchwire-api',
  worker: 'launchwire-worker',
  relay: 'launchwire-relay',
  feed: 'feed',
  admin: 'launchwire-admin',
};

let bus: BusWithUsers;
let world: RelayWorld;
let relay: RunningChild;
let apiOrigin: string;

/** The login user of each process, as docs/operations/database.md makes them: members of their role, and of nothing else. */
const logins = { api: 'launchwire_api', worker: 'launchwire_worker', relay: 'launchwire_relay' } as const;
/** Logins belong to the whole server, which other tests use at the same time. */
const mark = randomBytes(4).toString('hex');
const loginOf = (process: string) => `launchwire_${process}_login_${mark}`;

function environmentOf(user: BusUser) {
  const url = new URL(world.environment.DATABASE_URL ?? '');
  if (user in logins) [url.username, url.password] = [loginOf(user), 'bus-users'];
  return { ...world.environment, DATABASE_URL: url.href, NATS_URL: bus.urlOf(user) };
}

async function connectAs(user: BusUser): Promise<NatsConnection> {
  const connection = await connectBus(bus.urlOf(user), names[user]);
  atEnd(() => connection.close());
  return connection;
}

beforeAll(async () => {
  [bus, world] = await Promise.all([startBusWithUsers(), createRelayWorld()]);
  for (const [process, role] of Object.entries(logins)) {
    await world.sql.unsafe(`create user ${loginOf(process)} password 'bus-users' in role ${role}`);
    atEnd(async () => void (await world.sql.unsafe(`drop user ${loginOf(process)}`)));
  }
  // Before any worker has made the streams.
  relay = await startRelayProcess(environmentOf('relay'));
  const [api] = await Promise.all([
    startApiProcess(environmentOf('api').DATABASE_URL, {
      NATS_URL: bus.urlOf('api'),
      REDIS_URL: await sharedRedisUrl(),
    }),
    startWorkerProcess(environmentOf('worker')),
  ]);
  apiOrigin = new URL(api.baseUrl).origin;
});

describe('with the users of ops/nats', () => {
  test('every process does its work as its own user, and is refused nothing', async () => {
    const receiver = await startReceiver();
    await world.createEndpoint(receiver.origin, { eventTypes: ['*'] });
    const mint = newAddress();
    const feed = jetstream(await connectAs('feed'));
    await eventually('the worker has made the streams', () =>
      feed
        .publish('ingest.token', JSON.stringify({ ...tokenMessage(mint), announce: true }), { msgID: mint })
        .catch(() => null),
    );
    await feed.publish('ingest.trade', JSON.stringify(tradeMessage(mint, 1)));
    await feed.publish('ingest.trade', '{}');
    await receiver.received(1);
    const worker = await jetstreamManager(await connectAs('worker'));
    await eventually('the relay has made its consumers and read what was published', async () => {
      const { state } = await worker.streams.info(EVENT_STREAM);
      const all = [consumers.relayPublic, consumers.relayAccount];
      const infos = await Promise.all(
        all.map(({ name }) => worker.consumers.info(EVENT_STREAM, name).catch(() => null)),
      );
      return (
        state.messages > 0 && infos.every((info) => info?.num_pending === 0 && info.num_ack_pending === 0)
      );
    });
    await eventually('the refused trade is kept', async () => {
      const { state } = await worker.streams.info(INGEST_REJECTED_STREAM);
      return state.messages === 1;
    });
    await eventually('the trade is stored', async () => {
      const rows = await world.sql`select from trades`;
      return rows.length === 1;
    });
    const ready = await readReadiness(apiOrigin);
    for (const dependency of ['postgres', 'nats', 'redis'])
      expect(ready.dependencies.find(({ name }) => name === dependency)).toMatchObject({ ready: true });
    const [logged] = await world.sql<{ logins: string[] }[]>`
      select array_agg(distinct usename::text order by usename::text) as logins from pg_stat_activity
      where usename like ${`%${mark}`}`;
    expect(logged?.logins).toEqual(['api', 'relay', 'worker'].map(loginOf));
    // A request with a key that the api has not seen: it takes from a budget and gives back.
    const key = await createTestKey(world.sql);
    const answer = await fetch(`${apiOrigin}/api/v2/webhook-endpoints`, { headers: key.header });
    expect(answer.status).toBe(200);
    expect(bus.violations()).toEqual([]);
    expect(relay.lastLines().join()).not.toContain('bus.refused');
  });

  test('the hints of the api reach worker and relay, and theirs reach the api', async () => {
    const heard: string[] = [];
    const worker = await connectAs('worker');
    const relayConnection = await connectAs('relay');
    for (const hint of [hints.broadcast, hints.outbox, hints.operations])
      worker.subscribe(hint, { callback: (_error, { subject }) => void heard.push(subject) });
    relayConnection.subscribe(hints.deliveries, {
      callback: (_error, { subject }) => void heard.push(subject),
    });
    await Promise.all([worker.flush(), relayConnection.flush()]);
    const channel = openHintChannel(bus.urlOf('api'), names.api, silentLog);
    atEnd(() => channel.close());
    const forApi = [
      hints.tokenChanged,
      hints.tokensHidden,
      hints.stakingChanged,
      hints.presaleChanged,
      hints.roundChanged,
    ];
    for (const hint of forApi) channel.subscribe(hint, (payload) => void heard.push(`${hint} ${payload}`));
    await eventually('the api is connected', async () => channel.isConnected());
    const fromApi = [hints.broadcast, hints.outbox, hints.operations, hints.deliveries];
    const wanted = [...fromApi, ...forApi.map((hint) => `${hint} x`)];
    await eventually('all are heard', async () => {
      channel.send(...fromApi);
      for (const hint of forApi) worker.publish(hint, 'x');
      return wanted.every((hint) => heard.includes(hint));
    });
    expect(bus.violations()).toEqual([]);
  });

  test('the admin CLI forgets how far ingest was read, as its own user', async () => {
    const { output } = await runAdmin(['ingest', 'replay', '--yes', '--json'], environmentOf('admin'));
    expect(JSON.parse(output)).toEqual({ messages: 3 });
    expect(bus.violations()).toEqual([]);
  });

  test('the admin CLI compares the events of the broker, as its own user', async () => {
    const args = ['reconcile', '--since', new Date(Date.now() - 60_000).toISOString(), '--json'];
    const { output } = await runAdmin(args, {
      ...environmentOf('admin'),
      SOLANA_RPC_URL: 'http://127.0.0.1:9',
    });
    expect(JSON.parse(output)).toMatchObject({ applied: false });
    expect(bus.violations()).toEqual([]);
  });
});

const strangers = ['events.public', 'events.account.x', 'ingest.trade', 'ingest.token', 'ingest.rejected'];
const streamPowers = [
  ...['CREATE', 'UPDATE', 'DELETE', 'PURGE', 'MSG.DELETE', 'MSG.GET', 'SNAPSHOT', 'RESTORE'].flatMap((verb) =>
    ['EVENTS', 'INGEST'].map((stream) => `$JS.API.STREAM.${verb}.${stream}`),
  ),
  '$JS.API.STREAM.CREATE.OTHER',
  '$JS.API.DIRECT.GET.EVENTS',
];
const ingestConsumer = [
  '$JS.API.CONSUMER.CREATE.INGEST.ingest-1.ingest.*',
  '$JS.API.CONSUMER.DURABLE.CREATE.INGEST.ingest-1',
  '$JS.API.CONSUMER.MSG.NEXT.INGEST.ingest-1',
  '$JS.API.CONSUMER.DELETE.INGEST.ingest-1',
  '$JS.API.CONSUMER.LIST.INGEST',
  '$JS.ACK.INGEST.ingest-1.1.1.1.1.0',
];
const eventConsumers = [
  '$JS.API.CONSUMER.CREATE.EVENTS',
  '$JS.API.CONSUMER.CREATE.EVENTS.other',
  '$JS.API.CONSUMER.MSG.NEXT.EVENTS.relay-public',
  '$JS.API.CONSUMER.DELETE.EVENTS.relay-public',
  '$JS.ACK.EVENTS.relay-public.1.1.1.1.0',
];
const heardByNobody = ['>', 'events.>', 'ingest.>', '$JS.>', '_INBOX.>'];

/** Subjects that each user must not publish or subscribe to. */
const refused: Readonly<Record<BusUser, { publish: readonly string[]; subscribe: readonly string[] }>> = {
  api: {
    publish: [
      ...strangers,
      ...streamPowers,
      ...ingestConsumer,
      ...eventConsumers,
      hints.tokenChanged,
      '$JS.API.INFO',
    ],
    subscribe: [...heardByNobody, '_INBOX.launchwire-worker.>', hints.broadcast],
  },
  worker: {
    publish: [
      'ingest.token',
      'ingest.presale_deposit',
      ...streamPowers.filter((subject) => !/(CREATE|UPDATE)\.(EVENTS|INGEST)$/.test(subject)),
      ...eventConsumers,
      '$JS.API.CONSUMER.DELETE.INGEST.ingest-1',
    ],
    subscribe: [...heardByNobody, '_INBOX.launchwire-relay.>'],
  },
  relay: {
    publish: [
      ...strangers,
      ...streamPowers,
      ...ingestConsumer,
      ...eventConsumers.filter((subject) => !/(NEXT|ACK)\.EVENTS\.relay-public/.test(subject)),
      ...Object.values(hints),
    ],
    subscribe: [...heardByNobody, '_INBOX.launchwire-worker.>', hints.broadcast],
  },
  feed: {
    publish: [
      'ingest.rejected',
      'ingest.trade.more',
      'events.public',
      ...streamPowers,
      ...ingestConsumer,
      ...eventConsumers,
      ...Object.values(hints),
    ],
    subscribe: [...heardByNobody, '_INBOX.launchwire-worker.>', ...Object.values(hints)],
  },
  admin: {
    publish: [
      ...strangers,
      // `reconcile` reads what was published.
      ...streamPowers.filter((subject) => subject !== '$JS.API.STREAM.MSG.GET.EVENTS'),
      ...ingestConsumer,
      ...eventConsumers,
      ...Object.values(hints),
    ],
    subscribe: [...heardByNobody, ...Object.values(hints)],
  },
};

describe('a user of ops/nats', () => {
  for (const user of busUsers) {
    test(`${user} is refused every foreign subject`, async () => {
      const connection = await connectAs(user);
      const { publish, subscribe } = refused[user];
      const allowed = new Set([
        ...publish.map((subject) => `publish ${subject}`),
        ...subscribe.map((subject) => `subscription ${subject}`),
      ]);
      const reading = (async () => {
        for await (const status of connection.status()) {
          if (status.type !== 'error') continue;
          const { operation, subject } = status.error as Error & { operation?: string; subject?: string };
          allowed.delete(`${operation} ${subject}`);
        }
      })();
      for (const subject of publish) connection.publish(subject, '{}');
      for (const subject of subscribe) connection.subscribe(subject, { callback: () => {} });
      await connection.flush();
      await connection.close();
      await reading;
      expect([...allowed]).toEqual([]);
    });
  }

  // The server replies to any subject that a request names, so the relay can bring only the server's own replies into INGEST.
  test('relay cannot turn a reply of the server into a fact', async () => {
    const connection = await connectAs('relay');
    const worker = await jetstreamManager(await connectAs('worker'));
    const tradesBefore = await world.sql`select from trades`;
    const { state: before } = await worker.streams.info(INGEST_REJECTED_STREAM);
    connection.publish('$JS.API.CONSUMER.INFO.EVENTS.relay-public', '', { reply: 'ingest.trade' });
    await connection.flush();
    await eventually('it is refused by the schema', async () => {
      const { state } = await worker.streams.info(INGEST_REJECTED_STREAM);
      return state.messages > before.messages;
    });
    expect(await world.sql`select from trades`).toHaveLength(tradesBefore.length);
  });

  test('needs its password', async () => {
    for (const address of ['', 'api:wrong@', 'feed@', 'nobody:12k@']) {
      const attempt = connectBus(`nats://${address}127.0.0.1:${bus.server.port}`, 'stranger');
      await expect(attempt).rejects.toThrow('Authorization Violation');
    }
  });
});
