import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { connectDatabase, type Database } from '../../src/db/client.ts';
import { ratePolicies } from '../../src/shared/rate-policies.ts';
import { type BenchProcess, startDurableServers, startProcess } from './durable-servers.ts';
import { OBSERVED } from './observation.ts';
import { profilerVariables } from './profiler-variables.ts';
import { Resources } from './resources.ts';
import { type StubNode, type StubNodeOptions, startStubNode } from './stub-node.ts';
import { connectSubscribers, type Subscribers } from './subscribers.ts';

export interface BenchServer {
  port: number;
  pid: number;
}

/** A process of the product, with the port of its metrics. */
export interface ObservedServer extends BenchServer {
  metricsPort: number;
}

export interface BenchEnvironment {
  database: Database;
  databaseUrl: string;
  /** Another migrated database on the same server; returns its URL. */
  createDatabase(name: string): Promise<string>;
  natsUrl: string;
  natsPid: number;
  node: StubNode;
  /** Temporary, removed on close. */
  folder: string;
  /** Starts the product's api process. Log and metrics of api, worker and relay are as in production. */
  startApi(environment?: Record<string, string>): Promise<ObservedServer>;
  /** Starts a bench server (`bench/servers/<file>`) with PORT and extra variables. */
  startServer(file: string, environment?: Record<string, string>): Promise<BenchServer>;
  /** Starts a peer in `bench/servers`, whose log a reader of its own takes, as that of the product. */
  startPeer(
    peer: { file: string; runtime: 'bun' | 'node' },
    environment: Record<string, string>,
  ): Promise<BenchServer>;
  /** Starts the product's worker, with the variables of the api. */
  startWorker(environment?: Record<string, string>): Promise<BenchServer>;
  /** Starts the product's relay, which may send to this machine over HTTP. */
  startRelay(): Promise<BenchServer>;
  /** Starts the process that receives webhooks. */
  startSubscribers(): Promise<Subscribers>;
  /** The key with which api and relay seal the secrets of endpoints. */
  secretKey: string;
  close(): Promise<void>;
}

/** Limits so high that the limiter works but never refuses. */
const GENEROUS_LIMITS = JSON.stringify(
  Object.fromEntries(
    Object.keys(ratePolicies).map((name) => [name, { limit: 100_000_000, windowSeconds: 60 }]),
  ),
);

/** Variables of an api that all streams of a bench fit into. */
export const STREAM_LIMITS = { STREAMS_PER_ADDRESS: '100000', STREAMS_MAX: '100000' };

/**
 * New, durable (fsync on) Postgres and NATS in a temporary folder, a stub chain node in this process, and servers as
 * processes of their own. With `BENCH_PROFILE=<folder>` the product's processes write CPU profiles there.
 */
export function createBenchEnvironment(nodeOptions: StubNodeOptions = {}): Promise<BenchEnvironment> {
  return Resources.build(async (resources) => {
    const servers = await startDurableServers(resources);
    const { folder, postgres, nats } = servers;
    const database = await resources.start(
      async () => connectDatabase(postgres.url, { applicationName: 'bench', connections: 4 }),
      (sql) => sql.end(),
    );
    const node = await resources.start(
      async () => startStubNode(nodeOptions),
      (started) => started.close(),
    );
    const secretKey = Buffer.alloc(32, 1).toString('base64');
    const environment = {
      SOLANA_RPC_URL: node.url,
      SECRET_KEY: secretKey,
      RATE_LIMITS: GENEROUS_LIMITS,
    };
    const start = (script: string, extra: Record<string, string> = {}, options: Partial<BenchProcess> = {}) =>
      startProcess(resources, servers, {
        script,
        environment: { ...environment, ...extra },
        healthPort: 'PORT',
        ...options,
      });
    /** A process of the product, with log and metrics as in production. */
    const startObserved = async (
      role: string,
      { script, healthPort }: Pick<BenchProcess, 'script' | 'healthPort'>,
      extra: Record<string, string>,
    ) =>
      startProcess(resources, servers, {
        script,
        environment: { ...environment, ...OBSERVED, ...(await profilerVariables(role)), ...extra },
        healthPort: healthPort ?? 'METRICS_PORT',
        isObserved: true,
      });
    return {
      database,
      databaseUrl: postgres.url,
      createDatabase: (name) => postgres.createDatabase(name),
      natsUrl: nats.url,
      natsPid: nats.pid,
      node,
      folder,
      startWorker: (extra = {}) => startObserved('worker', { script: 'src/worker/main.ts' }, extra),
      startRelay: () =>
        startObserved(
          'relay',
          { script: 'relay/main.ts' },
          { WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: 'true' },
        ),
      startSubscribers: async () =>
        connectSubscribers((await start('bench/cases/subscriber-process.ts')).port),
      secretKey,
      startApi: (extra = {}) =>
        startObserved('api', { script: 'src/api/main.ts', healthPort: 'PORT' }, extra),
      startServer: (file, extra) => start(`bench/servers/${file}`, extra),
      startPeer: async ({ file, runtime }, extra) => {
        const script = `bench/servers/${file}`;
        return runtime === 'node'
          ? start(await bundleForNode(script), extra, { command: 'node', hasDrainedLog: true })
          : start(script, extra, { hasDrainedLog: true });
      },
      close: () => resources.close(),
    };
  });
}

/** Below `node_modules`, so that the bundle's own imports resolve from there. */
const FOLDER = 'node_modules/.cache/launchwire-bench';

/** Bundles of this process, by script. */
const bundles = new Map<string, Promise<string>>();

/**
 * Bundles the files of a script for Node, which imports packages as they are installed. Returns the path of the bundle.
 */
function bundleForNode(script: string): Promise<string> {
  let bundle = bundles.get(script);
  if (bundle === undefined) {
    bundle = buildBundle(script);
    bundles.set(script, bundle);
  }
  return bundle;
}

async function buildBundle(script: string): Promise<string> {
  const built = await Bun.build({
    entrypoints: [script],
    target: 'node',
    format: 'esm',
    packages: 'external',
  });
  const [output] = built.outputs;
  if (output === undefined) throw new Error(`${script} was not bundled`);
  const text = await output.text();
  const name = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const file = join(FOLDER, `${name}.mjs`);
  await Bun.write(file, text);
  return file;
}
