import { jetstream } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { defaultSettings, type RelaySettings } from '../../../relay/model/settings.ts';
import { createRelay, type Relay, type RelayDependencies } from '../../../relay/relay.ts';
import { PROJECT_ROOT } from '../../../sandbox/shared/sandbox-folder.ts';
import { type Config, loadConfig } from '../../../src/config/load.ts';
import { connectDatabase, type Database } from '../../../src/db/client.ts';
import { createOutbox } from '../../../src/outbox/append.ts';
import { connectBus, type NatsConnection } from '../../../src/shared/bus/connect.ts';
import { ensureStreams } from '../../../src/shared/bus/streams.ts';
import { eventSubject } from '../../../src/shared/bus/topology.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import type { EventName } from '../../../src/shared/events/catalogue.ts';
import { createLogger } from '../../../src/shared/log.ts';
import { createSecretBox } from '../../../src/shared/secret-box.ts';
import { generateWebhookSecret, sealWebhookSecret } from '../../../src/shared/webhooks/secret.ts';
import { createTestDatabase } from '../database/database.ts';
import { commandOf } from '../processes/compiled-programs.ts';
import { insertEndpoint } from '../rows/insert-endpoint.ts';
import { atEnd } from '../run/cleanup.ts';
import { eventually } from '../run/eventually.ts';
import { bareEnvironment } from '../run/runtime-variables.ts';
import { createTestNats, type TestNats } from '../servers/nats.ts';

const RELAY = 'relay/main.ts';

export interface TestEndpoint {
  id: string;
  accountId: string;
  secret: string;
}

export interface DeliveryRow {
  id: string;
  status: string;
  attemptCount: number;
  lastErrorCode: string | null;
  responseStatus: number | null;
  nextAttemptAt: Date | null;
  deliveredAt: Date | null;
}

/** Whether no attempt follows. */
export const isSettled = ({ status }: DeliveryRow) => status === 'succeeded' || status === 'dead_letter';

/** A database, a broker and a configuration for relays of one test file. */
export interface RelayWorld {
  sql: Database;
  connection: NatsConnection;
  nats: TestNats;
  config: Config;
  environment: Record<string, string>;
  createAccount(): Promise<string>;
  createEndpoint(url: string, options?: { accountId?: string; eventTypes?: string[] }): Promise<TestEndpoint>;
  /** Reads the delivery until it satisfies `accept`. */
  deliveryOf(
    endpointId: string,
    eventId: string,
    accept: (row: DeliveryRow) => boolean,
  ): Promise<DeliveryRow>;
  /** Commits an event like a service. Without an account it is public. */
  append(event: NewTestEvent): Promise<string>;
  /** Announces an event on the bus like the outbox publisher. */
  announce(eventId: string): Promise<void>;
  /** `append` and `announce`. */
  publish(event?: NewTestEvent): Promise<string>;
  /** Runs a relay in this process until the function it returns is called. */
  startRelay(settings?: Partial<RelaySettings>, options?: TestRelayOptions): Promise<() => Promise<void>>;
  /** Starts `relay/main.ts` as a separate process without waiting for it. */
  spawnRelay(environment?: Record<string, string>): Promise<Bun.Subprocess<'ignore', 'ignore', 'pipe'>>;
}

/** Options of a test's relay; `natsUrl` is another broker than that of its world. */
export interface TestRelayOptions
  extends Partial<Pick<RelayDependencies, 'clock' | 'resolve' | 'certificateAuthorities'>> {
  natsUrl?: string;
}

export interface NewTestEvent {
  name?: EventName;
  /** By default `subject`. */
  subject?: string;
  accountId?: string;
  onlyEndpointId?: string;
  /** By default a text with an umlaut. */
  data?: object;
}

/**
 * @param environment of its processes; without DATABASE_URL the world has a database of its own
 * @param postgresUrl a server other than the shared one
 */
export async function createRelayWorld(
  environment: Record<string, string> = {},
  postgresUrl?: string,
): Promise<RelayWorld> {
  const databaseUrl = environment.DATABASE_URL ?? (await createTestDatabase(postgresUrl)).url;
  const nats = await createTestNats();
  const variables = {
    DATABASE_URL: databaseUrl,
    NATS_URL: nats.url,
    SOLANA_RPC_URL: 'http://127.0.0.1:1',
    // `startApiProcess` has the same key, because the processes of a database share one.
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    PUBLIC_URL: 'https://api.example.test',
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    WEBHOOK_ALLOW_HTTP: 'true',
    ...environment,
  };
  const config = loadConfig(variables);
  const sql = connectDatabase(databaseUrl, { applicationName: 'relay-test', connections: 8 });
  const connection = await connectBus(nats.url, 'relay-test');
  await ensureStreams(connection);
  atEnd(async () => {
    await connection.close();
    await sql.end({ timeout: 1 });
  });
  return worldOf({ sql, connection, nats, config, environment: variables });
}

function worldOf(
  parts: Pick<RelayWorld, 'sql' | 'connection' | 'nats' | 'config' | 'environment'>,
): RelayWorld {
  const { sql, connection, config, environment } = parts;
  const box = createSecretBox(config.secretKey);
  const outbox = createOutbox({ source: `${config.publicUrl}/api/v2`, docsUrl: config.docsUrl }, systemClock);
  const world: RelayWorld = {
    ...parts,
    async createAccount() {
      const id = Bun.randomUUIDv7();
      await sql`insert into accounts (id, created_at) values (${id}, now())`;
      return id;
    },
    async createEndpoint(url, { accountId, eventTypes = ['*'] } = {}) {
      const id = Bun.randomUUIDv7();
      const owner = accountId ?? (await world.createAccount());
      const secret = generateWebhookSecret();
      const sealedSecret = sealWebhookSecret(box, id, secret);
      await insertEndpoint(sql, { id, accountId: owner, url, eventTypes, sealedSecret });
      return { id, accountId: owner, secret };
    },
    async deliveryOf(endpointId, eventId, accept) {
      return eventually(`the delivery of ${eventId} to ${endpointId}`, async () => {
        const [row] = await sql<DeliveryRow[]>`
          select * from webhook_deliveries where endpoint_id = ${endpointId} and event_id = ${eventId}`;
        return row !== undefined && accept(row) && row;
      });
    },
    async append({ name, subject = 'subject', accountId, onlyEndpointId, data = { text: 'grüße' } }) {
      const only = onlyEndpointId === undefined ? {} : { onlyEndpointId };
      return await sql.begin((transaction) =>
        outbox.append(transaction, {
          name: name ?? (accountId === undefined ? 'launch.created' : 'operation.succeeded'),
          subject,
          accountId: accountId ?? null,
          data,
          ...only,
        }),
      );
    },
    async announce(eventId) {
      const [event] = await sql<{ accountId: string | null; body: string }[]>`
        select account_id, body from events where id = ${eventId}`;
      const withId = headers();
      withId.set('Nats-Msg-Id', eventId);
      await jetstream(connection).publish(eventSubject(event?.accountId ?? null), event?.body ?? '', {
        headers: withId,
      });
      await sql`delete from events_to_publish where event_id = ${eventId}`;
    },
    async publish(event = {}) {
      const id = await world.append(event);
      await world.announce(id);
      return id;
    },
    startRelay: (settings = {}, { natsUrl = parts.nats.url, ...own } = {}) =>
      startRelay(config, natsUrl, { settings, ...own }),
    spawnRelay: (more) => spawnRelay({ ...environment, ...more }),
  };
  return world;
}

async function startRelay(
  config: Config,
  natsUrl: string,
  { settings, ...own }: Omit<TestRelayOptions, 'natsUrl'> & { settings: Partial<RelaySettings> },
): Promise<() => Promise<void>> {
  const sql = connectDatabase(config.databaseUrl, {
    applicationName: 'relay',
    connections: 8,
    role: 'launchwire_relay',
  });
  const connection = await connectBus(natsUrl, 'relay');
  const controller = new AbortController();
  const relay: Relay = createRelay({
    config,
    sql,
    connection,
    clock: systemClock,
    log: createLogger('relay', process.env.TEST_LOG_LEVEL ?? 'silent'),
    version: 'test',
    settings: { ...defaultSettings, ...settings },
    ...own,
  });
  const running = relay.run(controller.signal, new AbortController().signal);
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    controller.abort();
    await running;
    await connection.close();
    await sql.end({ timeout: 1 });
  };
  const stopOnce = () => {
    stopped ??= stop();
    return stopped;
  };
  atEnd(stopOnce);
  return stopOnce;
}

async function spawnRelay(
  environment: Record<string, string>,
): Promise<Bun.Subprocess<'ignore', 'ignore', 'pipe'>> {
  const child = Bun.spawn([await commandOf(RELAY), RELAY], {
    cwd: PROJECT_ROOT,
    env: { ...bareEnvironment(), ...environment },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  });
  atEnd(async () => {
    child.kill('SIGKILL');
    await child.exited;
  });
  return child;
}
