import type { ServerResponse } from 'node:http';
import type { RunningChild } from '../../../sandbox/services/child-process.ts';
import { SolanaRpc } from '../../../sandbox/shared/solana-rpc.ts';
import { advisoryLocks } from '../../../src/db/advisory-lock.ts';
import { encodeAddress } from '../../../src/shared/address.ts';
import { encodeBase58 } from '../../../src/shared/base58.ts';
import { eventType } from '../../../src/shared/events/catalogue.ts';
import { createTestKey, type TestKey } from '../api/api-keys.ts';
import { startApiProcess } from '../api/api-process.ts';
import { forwardRpc } from '../chain/forward-rpc.ts';
import { type HolderNode, startHolderNode } from '../chain/holder-node.ts';
import { RecordedChain } from '../chain/recorded-rpc.ts';
import { fundedWallet } from '../intents/submitted-intent.ts';
import { knowToken, moreTransactions, transactionsOf } from '../market/chain-indexer.ts';
import { type CurveFixture, curveFixture } from '../pools/curve-fixtures.ts';
import { readPoolFixture } from '../pools/pool-accounts.ts';
import { startChainProcess, startRelayProcess, startWorkerProcess } from '../processes/service-processes.ts';
import { insertAttempt } from '../rows/insert-attempt.ts';
import { insertDelivery } from '../rows/insert-delivery.ts';
import { insertEvent } from '../rows/insert-event.ts';
import { atEnd } from '../run/cleanup.ts';
import { eventually } from '../run/eventually.ts';
import { type Receiver, startReceiver } from '../webhooks/webhook-receiver.ts';
import { createRelayWorld, type RelayWorld, type TestEndpoint } from '../webhooks/webhook-relay.ts';
import { createMixedLoad, type MixedLoad } from './mixed-load.ts';

export const EXPORTED_HOLDERS = 8_000;
/** Each holder has one unit more than the previous one. */
export const EXPORTED_SUPPLY_RAW = (BigInt(EXPORTED_HOLDERS) * BigInt(EXPORTED_HOLDERS + 1)) / 2n;
/** The node stops responding to the first export after this many accounts. */
const EXPORT_HANGS_AT = 6_000;
export const MORE_RECORDED_TRADES = 100;
export const EXPIRED_RESPONSES = 1_500;
const EXPORTED_MINT_BYTES = new Uint8Array(32).fill(6);
/** The instruction `migration_damm_v2` of the curve program. */
const MIGRATION = encodeBase58(Buffer.from('9ca9e66735e45040', 'hex'));
/** Enough attempts for the first relay to have some: once attempts hang, a relay starts one at each of two
 * endpoints. */
const IN_FLIGHT_MIN = 3;

/** Two of each process with their shared resources and their work. */
export interface SeveralOfEach {
  world: RelayWorld;
  chainUrl: string;
  key: TestKey;
  load: MixedLoad;
  /** A pool whose history is too long to be read before the kill. */
  longPool: CurveFixture;
  /** The last transaction of this pool migrates it. */
  migratedPool: CurveFixture;
  /** Responds with 204 after the release; `/gone` responds with 410. */
  receiver: HoldingReceiver;
  /** Endpoints of the owner, of another account, and one that responds with 410. */
  endpoints: { main: TestEndpoint; other: TestEndpoint; gone: TestEndpoint };
  /** Events that the broker did not announce, and events whose deliveries were lost. */
  unannounced: string[];
  undelivered: string[];
  survivors: { worker: RunningChild; relay: RunningChild };
  /** The export that a worker held when it was killed. */
  heldExport: string;
  /** A token that was added after the kill. */
  exportedMint: string;
}

interface HoldingReceiver extends Receiver {
  /** Requests on open connections that wait for their response. */
  readonly held: ReadonlySet<ServerResponse>;
  release(): void;
}

interface Shared {
  world: RelayWorld;
  chainUrl: string;
  router: RpcRouter;
  holders: HolderNode;
  environment: Record<string, string>;
}

/**
 * Starts two apis (one of them two processes on one port), two workers and two relays, works with all of them, kills
 * one worker and one relay while each holds work that no other process has, and continues the load.
 */
export async function runSeveralOfEach(): Promise<SeveralOfEach> {
  const exportedMint = encodeAddress(EXPORTED_MINT_BYTES);
  const pools = recordedPools();
  const shared = await startShared(pools.chain);
  const { world, chainUrl, router, holders, environment } = shared;
  const { sql: db } = world;
  const wallet = await fundedWallet(chainUrl);
  const key = await createTestKey(db, { walletAddress: wallet.publicKey.toBase58() });
  const receiver = await startHoldingReceiver();
  const endpoints = await createEndpoints(world, key, {
    origin: receiver.origin,
    followedMint: pools.longPool.pool.mintAddress,
  });
  const seeded = await seed(world, key.accountId);
  await seedExpired(world, endpoints.other.id);
  await knowToken(db, pools.longPool);
  await knowToken(db, pools.migratedPool, { announce: true });
  const apis = await Promise.all([
    startApiProcess(environment.DATABASE_URL ?? '', { ...environment, API_WORKERS: '2' }),
    startApiProcess(environment.DATABASE_URL ?? '', environment),
  ]);
  const load = createMixedLoad({
    db,
    connection: world.connection,
    chainUrl,
    chainAccounts: router.chainAccounts,
    key,
    wallet,
    exportedMint,
    apiUrls: apis.map(({ baseUrl }) => baseUrl),
  });

  holders.faults = { hangAt: EXPORT_HANGS_AT };
  const firstWorker = await startWorkerProcess(environment);
  await eventually('the first worker reads the chain', () => isHeld(world, advisoryLocks.chainIndexer));
  const heldExport = await load.createExport();
  await eventually('its export is in the middle', () => isStaged(world, heldExport));
  await eventually('its history is in the middle', async () => router.held > 0);
  holders.faults = {};
  const worker = await startWorkerProcess(environment);
  await load.run(6);
  await load.createExport();

  const firstRelay = await startRelayProcess(environment);
  await eventually('the first relay is in the middle', async () => receiver.held.size > 0);
  const relay = await startRelayProcess(environment);
  // On a slow machine the first attempts may already have timed out.
  await eventually('attempts are in flight', async () => receiver.held.size >= IN_FLIGHT_MIN);
  const meanwhile = load.run(8);
  await Promise.all([firstWorker.kill(), firstRelay.kill()]);
  // The exported mint has a different supply.
  const { poolAddress: _, ...pool } = { ...pools.longPool.pool, mintAddress: exportedMint };
  await knowToken(db, { name: 'Exported', pool });
  receiver.release();
  router.release();
  await meanwhile;
  await load.run(4);
  await load.createExport();
  const survivors = { worker, relay };
  return {
    ...shared,
    ...pools,
    ...seeded,
    key,
    load,
    receiver,
    endpoints,
    survivors,
    heldExport,
    exportedMint,
  };
}

function recordedPools() {
  const chain = new RecordedChain();
  const longPool = curveFixture('j');
  const migratedPool = curveFixture('h');
  const [migration] = moreTransactions(migratedPool, 1, 2 * MORE_RECORDED_TRADES);
  const swap = migration?.transaction.message.instructions[3];
  if (migration === undefined || swap === undefined) throw new Error('no swap');
  // The migration instruction with the curve as its first account. Its inner calls do not matter here.
  swap.data = MIGRATION;
  const [curve = 0, token = 0] = [swap.accounts[2], swap.accounts[7]];
  swap.accounts = Array.from({ length: 26 }, (_, at) => ({ 0: curve, 13: token })[at] ?? 1);
  migration.slot += 1_000;
  migration.meta.innerInstructions = [];
  chain.add(...transactionsOf(longPool), ...moreTransactions(longPool, MORE_RECORDED_TRADES));
  chain.add(...transactionsOf(migratedPool), migration);
  return { chain, longPool, migratedPool };
}

async function startShared(recorded: RecordedChain): Promise<Shared> {
  const history = recorded.startNode();
  atEnd(async () => void (await history.stop()));
  const chainUrl = await startChainProcess();
  const holders = await startHolderNode({
    mint: EXPORTED_MINT_BYTES,
    slot: 99n,
    count: EXPORTED_HOLDERS,
    supplyRaw: EXPORTED_SUPPLY_RAW,
    hasAddresses: true,
    accountAt: (position) => ({ owner: position, amountRaw: BigInt(position + 1) }),
    accounts: new Map(['h', 'j'].flatMap((letter) => [...readPoolFixture(letter).accounts])),
    slotNow: () => new SolanaRpc(chainUrl).slot(),
  });
  const upstreams = { chainUrl, historyUrl: history.url, holderUrl: holders.url };
  const router = startRpcRouter({ ...upstreams, transactionsBeforeHold: MORE_RECORDED_TRADES / 2 });
  const world = await createRelayWorld({
    SOLANA_RPC_URL: router.url,
    WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,1,1,1,1,1',
    LOG_LEVEL: 'info',
  });
  return { world, chainUrl, router, holders, environment: world.environment };
}

/** Holds all requests until the release. */
async function startHoldingReceiver(): Promise<HoldingReceiver> {
  const held = new Set<ServerResponse>();
  let isHolding = true;
  const hold = (response: ServerResponse) => {
    held.add(response);
    response.once('close', () => held.delete(response));
  };
  const accept = (response: ServerResponse) => response.writeHead(204).end();
  const receiver = await startReceiver({
    respond(response, request) {
      if (request.path === '/gone') response.writeHead(410).end();
      else if (isHolding) hold(response);
      else accept(response);
    },
  });
  const release = () => {
    isHolding = false;
    for (const response of held) accept(response);
  };
  return Object.assign(receiver, { held, release });
}

/** The endpoints are older than every event, so that they get all of them. */
async function createEndpoints(
  world: RelayWorld,
  { accountId }: TestKey,
  { origin, followedMint }: { origin: string; followedMint: string },
) {
  const main = await world.createEndpoint(`${origin}/main`, { accountId });
  const other = await world.createEndpoint(`${origin}/other`);
  const gone = await world.createEndpoint(`${origin}/gone`);
  const follower = await world.createEndpoint(`${origin}/follower`, {
    eventTypes: [eventType('token.traded')],
  });
  await world.sql`
    insert into endpoint_subjects (endpoint_id, subject, position) values (${follower.id}, ${followedMint}, 0)`;
  // A change of its version is noted by the workers.
  await world.sql`update webhook_endpoints set version = version + 1 where id = ${follower.id}`;
  await world.sql`
    update webhook_endpoints set created_at = now() - interval '1 hour', updated_at = now() - interval '1 hour'`;
  return { main, other, gone };
}

/** Inserts work that processes find only by polling: events without fan-out or deliveries, and expired
 * responses. */
async function seed(world: RelayWorld, accountId: string) {
  const { sql } = world;
  const append = () => Promise.all(Array.from({ length: 5 }, () => world.append({ accountId })));
  const unannounced = await append();
  const undelivered = await append();
  const both = [...unannounced, ...undelivered];
  await sql`update events set created_at = now() - interval '20 seconds' where id = any(${both}::uuid[])`;
  await sql`delete from events_to_publish where event_id = any(${both}::uuid[])`;
  await sql`delete from events_to_fan_out where event_id = any(${undelivered}::uuid[])`;
  await sql`
    insert into idempotency_records (account_id, key, fingerprint, response_status, response_headers, response_body,
      sealed, created_at, expires_at)
    select ${accountId}, 'seeded-' || number, decode(repeat('00', 32), 'hex'), 200, '{}', '', false,
      now() - interval '1 day', now() + case when number = 0 then interval '1 hour' else interval '-1 minute' end
    from generate_series(0, ${EXPIRED_RESPONSES}) as number`;
  return { unannounced, undelivered };
}

/** Inserts a six weeks old event with a finished delivery. */
async function seedExpired({ sql }: RelayWorld, endpointId: string): Promise<void> {
  const at = new Date(Date.now() - 45 * 24 * 60 * 60 * 1000);
  const done = { createdAt: at, isPublished: true, isFannedOut: true };
  const eventId = await insertEvent(sql, { subject: 'expired', ...done });
  const dead = { status: 'dead_letter', attemptCount: 1, createdAt: at } as const;
  const deliveryId = await insertDelivery(sql, { endpointId, eventId, ...dead });
  await insertAttempt(sql, { deliveryId, startedAt: at, succeeded: false });
}

async function isHeld({ sql }: RelayWorld, lock: number): Promise<boolean> {
  const locks = await sql`
    select from pg_locks where locktype = 'advisory' and objid = ${lock} and granted
      and database = (select oid from pg_database where datname = current_database())`;
  return locks.count > 0;
}

async function isStaged({ sql }: RelayWorld, operationId: string): Promise<boolean> {
  const accounts =
    await sql`select from operation_token_accounts where operation_id = ${operationId} limit 5000`;
  return accounts.count === 5_000;
}

interface RpcRouter {
  readonly url: string;
  /** Requests for these accounts go to the chain instead of the node with the holders. */
  readonly chainAccounts: Set<string>;
  /** Requests for a transaction that wait for `release`. */
  readonly held: number;
  /** Answers the held and all later requests. */
  release(): void;
}

interface RpcRouterOptions {
  /** Gets all requests that the other nodes do not get. */
  chainUrl: string;
  /** The node with the histories of pools. */
  historyUrl: string;
  /** The node that lists the accounts of a mint. */
  holderUrl: string;
  /** The number of transactions that are returned; further requests wait. */
  transactionsBeforeHold: number;
}

/** One RPC address that routes requests to several test nodes by method. Clients see a complete node. */
function startRpcRouter(options: RpcRouterOptions): RpcRouter {
  const gate = Promise.withResolvers<void>();
  const state = { told: 0, held: 0 };
  const chainAccounts = new Set<string>();
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      if (request.method !== 'POST') return new Response('only POST', { status: 405 });
      const body = await request.text();
      const { method } = JSON.parse(body) as { method: string };
      if (method === 'getTransaction') {
        state.told += 1;
        if (state.told > options.transactionsBeforeHold) {
          state.held += 1;
          await gate.promise;
          state.held -= 1;
        }
      }
      const isOfChain = [...chainAccounts].some((address) => body.includes(address));
      return forwardRpc(isOfChain ? options.chainUrl : targetOf(method, options), request, body);
    },
  });
  atEnd(() => server.stop(true));
  return {
    url: `http://127.0.0.1:${server.port}`,
    chainAccounts,
    get held() {
      return state.held;
    },
    release: gate.resolve,
  };
}

function targetOf(method: string, { chainUrl, historyUrl, holderUrl }: RpcRouterOptions): string {
  if (method === 'getTransaction' || method === 'getSignaturesForAddress') return historyUrl;
  if (method === 'getProgramAccounts' || method === 'getMultipleAccounts' || method === 'getBlockTime')
    return holderUrl;
  return chainUrl;
}
