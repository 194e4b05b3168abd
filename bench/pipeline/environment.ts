import { connectDatabase, type Database } from '../../src/db/client.ts';
import { connectBus, type NatsConnection } from '../../src/shared/bus/connect.ts';
import { ensureStreams } from '../../src/shared/bus/streams.ts';
import { startDurableServers, startProcess } from '../cases/durable-servers.ts';
import { OBSERVED } from '../cases/observation.ts';
import { profilerVariables } from '../cases/profiler-variables.ts';
import { Resources } from '../cases/resources.ts';
import { connectSubscribers, type Subscribers } from '../cases/subscribers.ts';
import { finishAll } from '../measurement/finish-all.ts';

/** Worker and relay as real processes on durable servers, with their subscribers in a process of its own. */
export interface PipelineEnvironment {
  sql: Database;
  connection: NatsConnection;
  subscribers: Subscribers;
  secretKey: string;
  /** Process id, for CPU time and memory. */
  relayPid: number;
  /** Starts another relay beside the first one. */
  startRelay(): Promise<{ pid: number; stop(): Promise<unknown> }>;
  close(): Promise<void>;
}

const BENCH_CONNECTIONS = 8;

/** @param variables more variables of worker and relay */
export function createPipelineEnvironment(
  variables: Readonly<Record<string, string>> = {},
): Promise<PipelineEnvironment> {
  return Resources.build(async (resources) => {
    const servers = await startDurableServers(resources);
    const { postgres, nats } = servers;
    const secretKey = Buffer.alloc(32, 7).toString('base64');
    const environment = {
      SOLANA_RPC_URL: 'http://127.0.0.1:9',
      SECRET_KEY: secretKey,
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
      WEBHOOK_ALLOW_HTTP: 'true',
      ...OBSERVED,
      ...variables,
    };
    const start = async (role: string, script: string) =>
      startProcess(resources, servers, {
        script,
        environment: { ...environment, ...(await profilerVariables(role)) },
        healthPort: 'METRICS_PORT',
        isObserved: true,
      });
    const connection = await resources.start(
      () => connectBus(nats.url, 'bench'),
      (connected) => connected.close(),
    );
    await ensureStreams(connection);
    const sql = await resources.start(
      async () => connectDatabase(postgres.url, { applicationName: 'bench', connections: BENCH_CONNECTIONS }),
      (database) => database.end({ timeout: 1 }),
    );
    const receiving = startProcess(resources, servers, {
      script: 'bench/cases/subscriber-process.ts',
      environment,
      healthPort: 'PORT',
    });
    const [receiver, , { pid: relayPid }] = await finishAll([
      receiving,
      start('worker', 'src/worker/main.ts'),
      start('relay', 'relay/main.ts'),
    ]);
    const subscribers = await connectSubscribers(receiver.port);
    return {
      sql,
      connection,
      subscribers,
      secretKey,
      relayPid,
      startRelay: () => start('relay', 'relay/main.ts'),
      close: () => resources.close(),
    };
  });
}
