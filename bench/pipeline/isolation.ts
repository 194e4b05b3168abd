import type { Database } from '../../src/db/client.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import type { NatsConnection } from '../../src/shared/bus/connect.ts';
import { hints } from '../../src/shared/bus/topology.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { type EventName, eventType } from '../../src/shared/events/catalogue.ts';
import { type BenchCase, percentileRatio, sized } from '../cases/case.ts';
import { percentiles } from '../measurement/percentiles.ts';
import { alternate, type Variant } from '../measurement/rounds.ts';
import { until } from '../measurement/until.ts';
import { createPipelineEnvironment } from './environment.ts';
import { untilNoOpenWork } from './open-work.ts';
import { storeEndpoints } from './store-endpoints.ts';

const HEALTHY = 38;
/** 5 % of all. */
const HANGING = 2;
/** 400 deliveries a second: well below the capacity of two cores, so that the figures show waiting and no queueing. */
const EVENT_EVERY_MS = 100;
/** A p99 needs a good thousand deliveries, which the short version does not have. */
const ROUND_MS_MIN = { full: 3_000, quick: 600, shortest: 0 };

/** Both loads are equal. Each event type has its own last 5 % of subscribers, and those of one type hang. */
const WITH: EventName = 'launch.graduated';
const WITHOUT: EventName = 'launch.created';

/** Time from commit to arrival at healthy endpoints, while 5 % of the endpoints hang and while none does. */
export const isolation: BenchCase = async (options) => {
  const { rounds, roundMs } = options;
  // A hanging endpoint may exceed the timeout of a delivery; its retries then end soon after the round.
  const environment = await createPipelineEnvironment({ WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,1,1,1,1,1' });
  const { sql, connection, secretKey } = environment;
  const receiver = startReceiver();
  try {
    const add = (path: string, count: number, types: readonly string[]) =>
      storeEndpoints(
        sql,
        secretKey,
        Array.from({ length: count }, () => ({ url: receiver.origin + path, eventTypes: types })),
      );
    await add('/healthy', HEALTHY, ['*']);
    await add('/hanging', HANGING, [eventType(WITH)]);
    await add('/spare', HANGING, [eventType(WITHOUT)]);
    const load: Load = {
      sql,
      connection,
      receiver,
      roundMs: Math.max(roundMs, sized(options, ROUND_MS_MIN)),
    };
    // A first round that is not counted warms up every process and endpoint.
    if (options.shortest !== true) await latencies(load, WITHOUT);
    const figures = await alternate(
      [variant('5 % hang', load, WITH), variant('none hangs', load, WITHOUT)],
      rounds,
    );
    return {
      name: `isolation, ${HEALTHY} healthy endpoints, ${HANGING} more that hang or do not`,
      figures,
      ratios: {
        'p99 of the healthy, 5 % hang / none': percentileRatio(figures, '5 % hang', 'none hangs', 'p99Ms'),
        'p50 of the healthy, 5 % hang / none': percentileRatio(figures, '5 % hang', 'none hangs', 'p50Ms'),
      },
    };
  } finally {
    await environment.close();
    await receiver.close();
  }
};

interface Load {
  sql: Database;
  connection: NatsConnection;
  receiver: Receiver;
  roundMs: number;
}

function variant(name: string, load: Load, event: EventName): Variant {
  return {
    name,
    async run() {
      const latenciesMs = await latencies(load, event);
      return {
        arrivals: latenciesMs.length,
        ...percentiles(latenciesMs, { p50Ms: 0.5, p90Ms: 0.9, p99Ms: 0.99 }),
      };
    },
  };
}

/**
 * Publishes for one round. Milliseconds from commit to arrival for every healthy endpoint. Returns with no open work.
 */
async function latencies({ sql, connection, receiver, roundMs }: Load, name: EventName): Promise<number[]> {
  const outbox = createOutbox({ source: 'http://bench/api/v2', docsUrl: 'http://bench/docs' }, systemClock);
  const committedAt = new Map<string, number>();
  receiver.hold();
  const startedAt = performance.now();
  for (let count = 0; count * EVENT_EVERY_MS < roundMs; count += 1) {
    await Bun.sleep(Math.max(0, startedAt + count * EVENT_EVERY_MS - performance.now()));
    const id = await sql.begin((transaction) =>
      outbox.append(transaction, { name, subject: 'bench', accountId: null, data: { count } }),
    );
    committedAt.set(id, performance.now());
    connection.publish(hints.outbox);
  }
  const arrivals = await receiver.healthyArrivals(committedAt.size * HEALTHY);
  receiver.release();
  await untilNoOpenWork(sql, 50);
  return arrivals.map(({ id, atMs }) => atMs - (committedAt.get(id) ?? Number.NaN));
}

interface Arrival {
  id: string;
  atMs: number;
}

interface Receiver {
  origin: string;
  /** From now on `/hanging` does not respond. Resets the arrivals. */
  hold(): void;
  release(): void;
  healthyArrivals(count: number): Promise<Arrival[]>;
  close(): Promise<void>;
}

function startReceiver(): Receiver {
  let released = Promise.withResolvers<void>();
  let arrivals: Arrival[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const atMs = performance.now();
      const { pathname } = new URL(request.url);
      if (pathname === '/hanging') await released.promise;
      if (pathname === '/healthy') arrivals.push({ id: request.headers.get('webhook-id') ?? '', atMs });
      return new Response(null, { status: 204 });
    },
  });
  return {
    origin: `http://127.0.0.1:${server.port}`,
    hold() {
      released = Promise.withResolvers();
      arrivals = [];
    },
    release: () => released.resolve(),
    async healthyArrivals(count) {
      await until(`${count} requests have come to healthy endpoints`, () => arrivals.length >= count);
      return arrivals;
    },
    close: () => server.stop(true),
  };
}
