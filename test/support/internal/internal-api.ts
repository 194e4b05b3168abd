import { loadConfig } from '../../../src/config/load.ts';
import { connectDatabase, type Database } from '../../../src/db/client.ts';
import { insertServiceKey } from '../../../src/features/identity/service-key-rows.ts';
import { createInternalApp } from '../../../src/internal/app.ts';
import { createInternalDependencies, type InternalDependencies } from '../../../src/internal/dependencies.ts';
import { internalRoutes } from '../../../src/internal/routes.ts';
import { generateServiceKey, hashSecret } from '../../../src/shared/api-key.ts';
import { createLogger } from '../../../src/shared/log.ts';
import { type ServiceGroup, serviceGroups } from '../../../src/shared/service-groups.ts';
import { recordReplies } from '../contract-coverage/replies.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { atEnd } from '../run/cleanup.ts';

export interface TestInternalApi {
  /** Origin + `/internal/v1`. */
  baseUrl: string;
  origin: string;
  database: TestDatabase;
  /** A connection with the owner's rights. The internal API itself uses its role. */
  owner: Database;
  dependencies: InternalDependencies;
}

/** The real internal API on a free port of this process, over its own database. */
export async function startTestInternalApi({
  database: given,
  environment = {},
  adjust,
}: {
  database?: TestDatabase;
  environment?: Record<string, string>;
  adjust?(dependencies: InternalDependencies): void;
} = {}): Promise<TestInternalApi> {
  const database = given ?? (await createTestDatabase());
  const config = loadConfig({
    DATABASE_URL: database.url,
    NATS_URL: 'nats://127.0.0.1:9',
    SOLANA_RPC_URL: 'http://127.0.0.1:9',
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    PUBLIC_URL: 'http://api.test',
    LOG_LEVEL: 'silent',
    ...environment,
  });
  const internal = createInternalDependencies(config, createLogger('internal', 'silent'));
  adjust?.(internal.dependencies);
  const routes = internalRoutes(internal.dependencies).map(recordReplies);
  const app = createInternalApp(internal.dependencies, routes);
  app.listen({
    port: 0,
    hostname: '127.0.0.1',
    reusePort: false,
    // As in `src/internal/main.ts`. If unset, a request that waits is cut after 30 s.
    idleTimeout: config.idleTimeoutSeconds,
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
  });
  const owner = connectDatabase(database.url, { applicationName: 'test-owner', connections: 4 });
  const origin = `http://127.0.0.1:${app.server?.port}`;
  atEnd(async () => {
    await app.server?.stop(true);
    await internal.close();
    await owner.end({ timeout: 1 });
  });
  return {
    baseUrl: `${origin}/internal/v1`,
    origin,
    database,
    owner,
    dependencies: internal.dependencies,
  };
}

export interface TestServiceKey {
  text: string;
  keyId: string;
  header: { authorization: string };
}

/** A stored, valid service key. */
export async function createTestServiceKey(
  owner: Database,
  {
    groups = serviceGroups,
    expiresAt = null,
  }: { groups?: readonly ServiceGroup[]; expiresAt?: Date | null } = {},
): Promise<TestServiceKey> {
  const { keyId, secret, text } = generateServiceKey();
  await insertServiceKey(owner, {
    id: keyId,
    name: 'test',
    secretHash: hashSecret(secret),
    groups: [...groups],
    createdAt: new Date(),
    expiresAt,
  });
  return { text, keyId, header: { authorization: `Bearer ${text}` } };
}

/** Sends a mutation with a new idempotency key. */
export function post(
  api: TestInternalApi,
  key: TestServiceKey,
  path: string,
  body?: unknown,
  idempotencyKey: string = crypto.randomUUID(),
): Promise<Response> {
  return fetch(`${api.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      ...key.header,
      'idempotency-key': idempotencyKey,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
