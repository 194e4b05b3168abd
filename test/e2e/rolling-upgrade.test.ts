import { beforeAll, describe, expect, test } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { Connection, PublicKey } from '@solana/web3.js';
import postgres from 'postgres';
import type { ChildExit, RunningChild } from '../../sandbox/services/child-process.ts';
import { migrate } from '../../src/db/migrate.ts';
import { wait } from '../../src/shared/loop.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { type ApiProcess, startApiProcess } from '../support/api/api-process.ts';
import { migrateToNextSchema } from '../support/database/next-schema.ts';
import { isComplete, parseResponse, type RawResponse } from '../support/http/raw-http.ts';
import { fundedWallet } from '../support/intents/submitted-intent.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import {
  createMixedLoad,
  expectedTradeCount,
  type LoadDone,
  TRANSFER_LAMPORTS,
} from '../support/mixed-load/mixed-load.ts';
import {
  allHaveStatus,
  count,
  deliveryOutcomes,
  eventsAbout,
  openDeliveries,
} from '../support/mixed-load/settled-work.ts';
import {
  startChainProcess,
  startRelayProcess,
  startWorkerProcess,
} from '../support/processes/service-processes.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { acceptedScopes, earlierRelease } from '../support/upgrades/earlier-release.ts';
import { type PackageClient, startPackageClient } from '../support/upgrades/package-client.ts';
import { type Receiver, startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { createRelayWorld, type RelayWorld } from '../support/webhooks/webhook-relay.ts';

const CLIENTS = 3;
/** Each client makes this many rounds of three requests with every mixture that it waits for. */
const ROUNDS = 5;

let world: RelayWorld;
let receiver: Receiver;
let chainUrl: string;
let done: LoadDone;
let program: PackageClient;
/** The api of the earlier release that runs in the end. */
let earlierApi: ApiProcess;
const clients: KeepAliveClient[] = [];
const failures: string[] = [];
const rounds = new Array<number>(CLIENTS).fill(0);
const exits: ChildExit[] = [];
const endings: (() => Promise<void>)[] = [];

beforeAll(async () => {
  try {
    await upgradeAndGoBack();
  } catch (error) {
    // Clients that go on would keep the run from ending.
    await Promise.allSettled(endings.map((end) => end()));
    throw error;
  }
});

/**
 * An upgrade as docs/operations/upgrades-and-restore.md describes it, and the way back, under load: migrations, then
 * each process one by one, in an order in which every kind of process runs beside the other release of every other kind.
 */
async function upgradeAndGoBack(): Promise<void> {
  const earlier = await earlierRelease();
  chainUrl = await startChainProcess();
  world = await createRelayWorld({
    DATABASE_URL: earlier.databaseUrl,
    SOLANA_RPC_URL: chainUrl,
    WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,1,1,1,1,1',
    LOG_LEVEL: 'info',
    API_DRAIN_SECONDS: '3',
    RATE_LIMITS: JSON.stringify(
      Object.fromEntries(
        ['webhook-admin', 'api-key-read'].map((name) => [name, { limit: 1_000_000, windowSeconds: 60 }]),
      ),
    ),
  });
  const wallet = await fundedWallet(chainUrl);
  const scopes = await acceptedScopes(world.sql);
  const key = await createTestKey(world.sql, { walletAddress: wallet.publicKey.toBase58(), scopes });
  receiver = await startReceiver();
  await world.createEndpoint(`${receiver.origin}/hook`, { accountId: key.accountId });

  const old = processesOf(earlier.root);
  const next = processesOf();
  let worker = await old.worker();
  let relay = await old.relay();
  const apis: [ApiProcess, ApiProcess] = [await old.api(), await old.api()];
  const upstreams = new ReadyUpstreams();
  for (const api of apis) await join(upstreams, api);
  const apiUrls = apis.map(({ baseUrl }) => baseUrl);
  const load = createMixedLoad({
    db: world.sql,
    connection: world.connection,
    chainUrl,
    key,
    wallet,
    apiUrls,
    exportedMint: newAddress(),
  });
  done = load.done;
  const stopClients = startClients(upstreams, await freshKeys(scopes));
  program = await startPackageClient({ port: upstreams.next, key, receiverUrl: `${receiver.origin}/own` });
  endings.push(stopClients, program.stop);
  const replaceApi = async (at: 0 | 1, start: () => Promise<ApiProcess>) => {
    const [leaving, coming] = [apis[at], await start()];
    await join(upstreams, coming);
    apis[at] = coming;
    apiUrls[at] = coming.baseUrl;
    const [exit] = await Promise.all([leaving.child.stop(), load.run(1)]);
    exits.push(exit);
    upstreams.remove(portOf(leaving));
  };
  const work = (scale: number) => Promise.all([load.run(scale), program.call()]);
  const workAndAdvance = () => Promise.all([work(2), clientsAdvance()]);

  await Promise.all([program.call(), clientsAdvance()]);
  await migrateFurther();
  await workAndAdvance();
  // Up: a new worker beside old apis, one api of each release beside an old relay, then the rest.
  worker = await replace(worker, next.worker);
  await work(1);
  await replaceApi(0, next.api);
  relay = await replace(relay, next.relay);
  await work(1);
  await replaceApi(1, next.api);
  await workAndAdvance();
  // Back, on the new schema: an old api beside the new worker, an old worker beside the new relay, then old ones beside the
  // last api of this release.
  await replaceApi(0, old.api);
  earlierApi = apis[0];
  await work(1);
  await replace(worker, old.worker);
  await work(1);
  await replace(relay, old.relay);
  await workAndAdvance();
  await stopClients();
}

/** @param root sources of the release; by default this one */
const processesOf = (root?: string) => ({
  worker: () => startWorkerProcess(world.environment, undefined, root),
  relay: () => startRelayProcess(world.environment, undefined, root),
  api: () => startApiProcess(world.config.databaseUrl, world.environment, root),
});
const portOf = ({ baseUrl }: ApiProcess) => Number(new URL(baseUrl).port);
const freshKeys = (scopes: readonly string[]) =>
  Promise.all(Array.from({ length: CLIENTS }, () => createTestKey(world.sql, { scopes })));

/** The migrations of this release, and changes as a next release could make them, as the owner. */
async function migrateFurther(): Promise<void> {
  await migrate(world.config.databaseUrl);
  const sql = postgres(world.config.databaseUrl, { max: 1 });
  atEnd(() => sql.end());
  await migrateToNextSchema(sql);
}

/** Starts the new process before it stops the old one. */
async function replace(old: RunningChild, start: () => Promise<RunningChild>): Promise<RunningChild> {
  const next = await start();
  exits.push(await old.stop());
  return next;
}

async function join(upstreams: ReadyUpstreams, api: ApiProcess): Promise<void> {
  upstreams.add(portOf(api));
  await eventually('the api is ready', async () => upstreams.isReady(portOf(api)));
}

function startClients(upstreams: ReadyUpstreams, keys: readonly TestKey[]): () => Promise<void> {
  const stop = new AbortController();
  const running = keys.map(async (key, index) => {
    const client = new KeepAliveClient(upstreams.next);
    clients.push(client);
    while (!stop.signal.aborted) {
      await oneRound(client, key, `${index}-${rounds[index]}`).catch((error: Error) => {
        failures.push(error.message);
        client.close();
      });
      rounds[index] = (rounds[index] ?? 0) + 1;
    }
    client.close();
  });
  const stopAll = async () => {
    stop.abort();
    await Promise.all(running);
  };
  atEnd(stopAll);
  return stopAll;
}

/** Sends a cached read, a mutation with a transaction, and a second mutation that removes the first one's
 * record. */
async function oneRound(client: KeepAliveClient, key: TestKey, name: string): Promise<void> {
  const path = '/api/v2/webhook-endpoints';
  const json = { ...key.header, 'content-type': 'application/json' };
  const list = await client.send({ method: 'GET', path: '/api/v2/tokens?limit=5' });
  const created = await client.send({
    method: 'POST',
    path,
    body: JSON.stringify({ url: `${receiver.origin}/own` }),
    headers: { ...json, 'idempotency-key': `create-${name}` },
  });
  const id = (JSON.parse(created.body) as { id?: string }).id;
  const deleted = await client.send({
    method: 'DELETE',
    path: `${path}/${id}`,
    headers: { ...key.header, 'idempotency-key': `delete-${name}`, 'if-match': '"1"' },
  });
  const statuses = [list.status, created.status, deleted.status];
  if (statuses.join() !== '200,201,200')
    throw new Error(`answers ${statuses.join()}: ${created.body} ${deleted.body}`);
}

async function clientsAdvance(): Promise<void> {
  const from = [...rounds];
  const advanced = async () => rounds.every((value, index) => value >= (from[index] ?? 0) + ROUNDS);
  await eventually('every client advances', advanced);
}

describe('an upgrade of everything and the way back, one process after another, in mixed order', () => {
  test('costs clients that retry nothing no request: an api asks them to leave before it ends', () => {
    expect(failures).toEqual([]);
    for (const client of clients) expect(client.toldToLeave).toBeGreaterThan(0);
    expect(done.answers.filter((status) => status !== 202 && status !== 409)).toEqual([]);
  });

  test('ends every process that it replaces with exit code 0', () => {
    expect(exits).toEqual(new Array<ChildExit>(7).fill({ code: 0, signal: null }));
  });

  test('loses no work and does no work twice', async () => {
    const { sql } = world;
    const trades = () =>
      count(sql`select count(*)::int as count from trades where mint_address = any(${done.tokens})`);
    const intents = done.intents.map(({ id }) => id);
    await eventually('trades', async () => (await trades()) === expectedTradeCount(done));
    await eventually('intents', () => allHaveStatus(sql, 'transaction_intents', intents, 'confirmed'));
    await eventually('expiries', () => allHaveStatus(sql, 'transaction_intents', done.expiring, 'expired'));
    await eventually('rounds', () => allHaveStatus(sql, 'prediction_rounds', done.rounds, 'settled'));
    await eventually('presales', () => allHaveStatus(sql, 'presales', done.presales.settling, 'settled'));
    for (const id of intents) {
      const [prepared, submitted, confirmed, ...later] = await eventsAbout(sql, id);
      expect([prepared, submitted, confirmed]).toEqual([
        'transaction_intent.prepared',
        'transaction_intent.submitted',
        'transaction_intent.confirmed',
      ]);
      // Only what a worker of the new release has ended is followed until it is final, and looked at for claims.
      const isClaim = (name: string) => name === 'fees.claimed';
      expect(later.filter(isClaim).length).toBeLessThan(2);
      expect(['', 'transaction_intent.finalized']).toContain(later.filter((name) => !isClaim(name)).join());
    }
    const chain = new Connection(chainUrl, 'confirmed');
    const accounts = await chain.getMultipleAccountsInfo(done.intents.map(({ to }) => new PublicKey(to)));
    expect(accounts.map((account) => account?.lamports)).toEqual(intents.map(() => TRANSFER_LAMPORTS));
  });

  test('costs a program with the npm package nothing: no call fails, and its streams go on without a gap', async () => {
    await program.catchUp(world.sql);
    // What is recorded after this look need not be in the program's list.
    const listed = await world.sql<{ id: string }[]>`
        select id from events where account_id is null
          or account_id = (select account_id from webhook_endpoints where url = ${`${receiver.origin}/hook`})`;
    await program.call();
    await program.stop();
    expect(program.failures).toEqual([]);
    expect(program.gaps).toEqual([]);
    // Both streams were on an api that ended.
    expect(program.streamsOpened()).toBeGreaterThan(2);
    const trades = await world.sql<{ id: string }[]>`select id from trades`;
    expect(program.trades.toSorted()).toEqual(trades.map(({ id }) => id).toSorted());
    expect(new Set(program.events).size).toBe(program.events.length);
    const unlisted = listed.map(({ id }) => id).filter((id) => !program.events.includes(id));
    // An earlier release does not list the types that came later, and does not show them either.
    const shown = await Promise.all(unlisted.map((id) => program.canRead(id, portOf(earlierApi))));
    expect(unlisted.filter((_, at) => shown[at])).toEqual([]);
  });

  test('delivers every event, each once as far as the subscriber can tell by webhook-id', async () => {
    const { sql } = world;
    const unannounced = () =>
      count(
        sql`select ((select count(*) from events_to_publish) + (select count(*) from events_to_fan_out))::int as count`,
      );
    const expected = () =>
      count(sql`
        select count(*)::int as count from events cross join webhook_endpoints e where e.url = ${`${receiver.origin}/hook`}
          and (events.account_id is null or events.account_id = e.account_id)
          and (events.only_endpoint_id is null or events.only_endpoint_id = e.id)`);
    // The finality of a transaction can add an event between two of these looks.
    const outcomes = await eventually('one finished delivery of every event', async () => {
      if ((await unannounced()) > 0 || (await openDeliveries(sql)) > 0) return null;
      const ended = (await deliveryOutcomes(sql, receiver)).filter(({ name }) => name.startsWith('/hook '));
      return ended.length === (await expected()) ? ended : null;
    });
    const wrong = outcomes.filter(
      ({ status, attempts, successes, requests }) =>
        status !== 'succeeded' || successes !== 1 || requests < 1 || requests > attempts,
    );
    expect(wrong).toEqual([]);
  });
});

const POLL_MS = 20;

/** Polls `/readyz` of several servers, like a load balancer, and knows which ones are ready. */
class ReadyUpstreams {
  readonly #ready = new Map<number, boolean>();
  #turn = 0;

  constructor() {
    const stop = new AbortController();
    const polling = this.#poll(stop.signal);
    atEnd(async () => {
      stop.abort();
      await polling;
    });
  }

  add(port: number): void {
    this.#ready.set(port, false);
  }

  remove(port: number): void {
    this.#ready.delete(port);
  }

  isReady(port: number): boolean {
    return this.#ready.get(port) === true;
  }

  /** The next ready one in turn. */
  readonly next = (): number => {
    const ports = [...this.#ready].flatMap(([port, ready]) => (ready ? [port] : []));
    const port = ports[this.#turn++ % ports.length];
    if (port === undefined) throw new Error('no server is ready');
    return port;
  };

  async #poll(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await Promise.all([...this.#ready.keys()].map((port) => this.#ask(port)));
      await wait(POLL_MS, signal);
    }
  }

  async #ask(port: number): Promise<void> {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (this.#ready.has(port)) this.#ready.set(port, ready);
  }
}

interface KeepAliveRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/**
 * Keeps one connection alive, like a proxy. It sends one request after another and never repeats one. It
 * leaves a connection only after `Connection: close`, or when the server has closed it. A connection that
 * ends during a request is a failure.
 */
class KeepAliveClient {
  readonly #port: () => number;
  #socket: Socket | null = null;
  /** The number of connections that a response ended. */
  toldToLeave = 0;

  /** @param port returns the port of the next connection */
  constructor(port: () => number) {
    this.#port = port;
  }

  async send({ method, path, headers = {}, body = '' }: KeepAliveRequest): Promise<RawResponse> {
    this.#socket ??= await this.#connect();
    const length = method === 'GET' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const lines = Object.entries({ host: 'api.test', ...headers, ...length }).map((line) => line.join(': '));
    const answered = answerOn(this.#socket);
    this.#socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
    const response = await answered;
    if (response.headers.get('connection') === 'close') {
      this.toldToLeave += 1;
      this.close();
    }
    return response;
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = null;
  }

  #connect(): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.#port(), '127.0.0.1', () => resolve(socket));
      socket.setNoDelay(true);
      socket.on('error', reject);
      socket.once('close', () => {
        if (this.#socket === socket) this.#socket = null;
      });
    });
  }
}

function answerOn(socket: Socket): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const take = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      if (isComplete(bytes)) settle(() => resolve(parseResponse(bytes)));
    };
    const lose = () => settle(() => reject(new Error(`the connection ended after ${bytes.length} bytes`)));
    const settle = (end: () => void) => {
      socket.off('data', take).off('close', lose).off('error', lose);
      end();
    };
    socket.on('data', take).on('close', lose).on('error', lose);
  });
}
