import { createApp } from '../../../src/api/app.ts';
import { type ApiDependencies, createApiDependencies } from '../../../src/api/dependencies.ts';
import { contractRoutes } from '../../../src/api/routes.ts';
import { type Config, loadConfig } from '../../../src/config/load.ts';
import { connectDatabase } from '../../../src/db/client.ts';
import type { Route } from '../../../src/http/route.ts';
import { socketHandlers } from '../../../src/http/streams/socket-session.ts';
import { createLogger } from '../../../src/shared/log.ts';
import { recordOutcome } from '../contract-coverage/outcomes.ts';
import { recordReplies } from '../contract-coverage/replies.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { atEnd } from '../run/cleanup.ts';
import { sharedNatsUrl } from '../servers/services.ts';

export interface TestApi {
  /** Origin + `/api/v2`. */
  baseUrl: string;
  origin: string;
  config: Config;
  /** The api's dependencies, but `database` has the owner's rights. The api itself uses its role. */
  dependencies: ApiDependencies;
  database: TestDatabase;
  /** What the process shows on `METRICS_PORT`. */
  metrics(): Promise<string>;
  stop(): Promise<void>;
}

export interface TestApiOptions {
  database?: TestDatabase;
  environment?: Record<string, string>;
  /** Replaces parts of the wiring, e.g. the clock of the limiter. */
  adjust?(dependencies: ApiDependencies): void;
  /** Replaces routes, e.g. by ones that fail. */
  adjustRoutes?(routes: readonly Route[]): readonly Route[];
  /** The requests are drawn at random. What they happen to produce does not count as tested. */
  isRandom?: boolean;
}

/** The real api on a free port of this process, over its own database. */
export async function startTestApi(options: TestApiOptions = {}): Promise<TestApi> {
  const database = options.database ?? (await createTestDatabase());
  const config = loadConfig({
    PORT: '0',
    DATABASE_URL: database.url,
    NATS_URL: await sharedNatsUrl(),
    SOLANA_RPC_URL: 'http://127.0.0.1:9',
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    PUBLIC_URL: 'http://api.test',
    LOG_LEVEL: 'silent',
    ...options.environment,
  });
  const api = createApiDependencies(config, createLogger('api', config.logLevel));
  // A test proves what happens at a full gate, not how soon: on a busy machine a load takes longer than a client should wait.
  for (const gate of Object.values(api.dependencies.gates))
    Object.assign(gate.options, { waitMaxMs: Infinity });
  options.adjust?.(api.dependencies);
  const { onOutcome } = api.dependencies.pipeline;
  api.dependencies.pipeline.onOutcome = (operation, status, code, durationMs) => {
    if (!options.isRandom) recordOutcome(operation, status, code);
    onOutcome?.(operation, status, code, durationMs);
  };
  const plain = contractRoutes(api.dependencies);
  const routes = options.isRandom ? plain : plain.map(recordReplies);
  const app = createApp(api.dependencies, options.adjustRoutes?.(routes) ?? routes);
  app.listen({
    port: 0,
    hostname: '127.0.0.1',
    reusePort: false,
    // As in `src/api/main.ts`. If unset, a request that waits is cut after 30 s.
    idleTimeout: config.idleTimeoutSeconds,
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    websocket: socketHandlers,
  });
  const owner = connectDatabase(database.url, { applicationName: 'test-owner', connections: 4 });
  const background = new AbortController();
  const running = api.run(background.signal);
  const origin = `http://127.0.0.1:${app.server?.port}`;
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= (async () => {
      background.abort();
      await running;
      await app.server?.stop(true);
      await api.close();
      await owner.end({ timeout: 1 });
    })();
    return stopped;
  };
  atEnd(stop);
  const dependencies = { ...api.dependencies, database: owner };
  const metrics = () => api.dependencies.operational.metrics.read();
  return { baseUrl: `${origin}/api/v2`, origin, config, dependencies, database, metrics, stop };
}
