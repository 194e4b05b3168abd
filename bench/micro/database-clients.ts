import { and, eq, sql as fragment, type Placeholder } from 'drizzle-orm';
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres';
import { drizzle as drizzlePostgresJs, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import { Pool } from 'pg';
import postgres from 'postgres';
import { connectDatabase } from '../../src/db/client.ts';
import { poolConnections } from '../../src/db/connections.ts';
import { databaseLimits } from '../../src/db/limits.ts';
import { operationResults, operations } from '../../src/db/schema/operations.ts';
import { pooledPlans } from '../../src/db/session-settings.ts';
import { findOperation } from '../../src/features/operations/find-operation.ts';
import { createTestKey } from '../../test/support/api/api-keys.ts';
import { type BenchCase, ratio, sized } from '../cases/case.ts';
import { createBenchEnvironment } from '../cases/environment.ts';
import { storeOperation } from '../http/stored-operation.ts';
import { inLanes } from '../measurement/in-lanes.ts';
import { processCpu } from '../measurement/process-cpu.ts';
import { alternate, type Variant } from '../measurement/rounds.ts';
import { postmasterOf, serverCpuMs } from '../measurement/server-cpu.ts';

const CONCURRENT = 16;
/** Statements of a round, and those before it: connections are made, statements prepared and hot code compiled. */
const STATEMENTS = {
  full: { timed: 4_000, untimed: 4_000 },
  quick: { timed: 1_000, untimed: 1_000 },
  shortest: { timed: 20, untimed: 2 },
};
/** The product's pool, and the one at which clients that pipeline are fastest. */
const POOLS = [poolConnections.api, 3] as const;
const PRODUCT = 'postgres.js as the api uses it';
const variantName = (client: string, connections: number) => `${client}, pool of ${connections}`;
const OURS = variantName(PRODUCT, poolConnections.api);

/** Reads one operation of an account by its id. */
type Read = (id: string, accountId: string) => Promise<{ id: string } | null | undefined>;

interface Client {
  read: Read;
  close(): Promise<unknown>;
}

/**
 * One search by primary key through several clients of Postgres, 16 at a time: CPU of this process and of Postgres for
 * each statement. The event loop is full long before Postgres is, so throughput alone says little.
 */
export const databaseClients: BenchCase = async (options) => {
  const environment = await createBenchEnvironment();
  try {
    const { database, databaseUrl } = environment;
    const { accountId } = await createTestKey(database);
    const id = await storeOperation(database, accountId);
    const postmaster = await postmasterOf(database);
    const variants = POOLS.flatMap((connections) =>
      Object.entries(clients).map(
        ([name, open]): Variant => ({
          name: variantName(name, connections),
          async run() {
            // One pool at a time: together they would take all connections that the server allows.
            const client = open(databaseUrl, connections);
            try {
              return await measure(client.read, { id, accountId, postmaster, ...sized(options, STATEMENTS) });
            } finally {
              await client.close();
            }
          },
        }),
      ),
    );
    const figures = await alternate(variants, options.rounds);
    return {
      name: `a search by primary key through each client, ${CONCURRENT} at a time`,
      figures,
      ratios: Object.fromEntries(
        variants.slice(1).flatMap(({ name }) => [
          [`client CPU, ${name} / the api's`, ratio(figures, name, OURS, 'cpuMicroseconds')],
          [`Postgres CPU, ${name} / the api's`, ratio(figures, name, OURS, 'postgresCpuMicroseconds')],
        ]),
      ),
    };
  } finally {
    await environment.close();
  }
};

/** The search of `getOperation`, as each client writes it. */
const clients: Readonly<Record<string, (url: string, connections: number) => Client>> = {
  [PRODUCT](url, connections) {
    const sql = connectDatabase(url, {
      applicationName: 'bench-clients',
      connections,
      role: 'launchwire_api',
      limits: databaseLimits.api,
      ...pooledPlans.launchwire_api,
    });
    return { read: (id, accountId) => findOperation(sql, id, accountId), close: () => sql.end() };
  },
  'Drizzle over postgres.js, prepared'(url, connections) {
    const sql = postgres(url, { max: connections });
    const prepared = composeSearch(drizzlePostgresJs(sql)).prepare('read_operation');
    return {
      read: async (id, accountId) => (await prepared.execute({ id, accountId }))[0],
      close: () => sql.end(),
    };
  },
  'Drizzle over postgres.js, built anew for each call'(url, connections) {
    const sql = postgres(url, { max: connections });
    const db = drizzlePostgresJs(sql);
    return {
      read: async (id, accountId) => (await composeSearch(db, id, accountId))[0],
      close: () => sql.end(),
    };
  },
  'Drizzle over pg, prepared'(url, connections) {
    const pool = new Pool({ connectionString: url, max: connections });
    const prepared = composeSearch(drizzlePg(pool) as unknown as PostgresJsDatabase).prepare(
      'read_operation',
    );
    return {
      read: async (id, accountId) => (await prepared.execute({ id, accountId }))[0],
      close: () => pool.end(),
    };
  },
  pg(url, connections) {
    const pool = new Pool({ connectionString: url, max: connections });
    return {
      read: async (id, accountId) =>
        (await pool.query<{ id: string }>({ name: 'read_operation', text: TEXT, values: [id, accountId] }))
          .rows[0],
      close: () => pool.end(),
    };
  },
  'Bun.SQL'(url, connections) {
    const sql = new Bun.SQL(url, { max: connections, bigint: true });
    return {
      read: async (id, accountId) => (await sql.unsafe(TEXT, [id, accountId]))[0] as { id: string },
      close: () => sql.end(),
    };
  },
};

const TEXT = `
  select o.id, o.account_id, o.kind, o.status, o.progress_completed, o.progress_total, o.progress_unit, o.created_at,
    o.started_at, o.completed_at, o.result_url, o.error_code, o.error_detail, o.error_request_id,
    r.expires_at as result_expires_at
  from operations o left join operation_results r on r.operation_id = o.id
  where o.id = $1 and o.account_id = $2`;

function composeSearch(
  db: PostgresJsDatabase,
  operationId: string | Placeholder = fragment.placeholder('id'),
  ownerId: string | Placeholder = fragment.placeholder('accountId'),
) {
  const { id, accountId, kind, status, progressCompleted, progressTotal, progressUnit, createdAt } =
    operations;
  const { startedAt, completedAt, resultUrl, errorCode, errorDetail, errorRequestId } = operations;
  return db
    .select({
      id,
      accountId,
      kind,
      status,
      progressCompleted,
      progressTotal,
      progressUnit,
      createdAt,
      startedAt,
      completedAt,
      resultUrl,
      errorCode,
      errorDetail,
      errorRequestId,
      resultExpiresAt: operationResults.expiresAt,
    })
    .from(operations)
    .leftJoin(operationResults, eq(operationResults.operationId, id))
    .where(and(eq(id, operationId), eq(accountId, ownerId)));
}

interface Measured {
  id: string;
  accountId: string;
  postmaster: number | null;
  timed: number;
  untimed: number;
}

async function measure(
  read: Read,
  { id, accountId, postmaster, timed, untimed }: Measured,
): Promise<Record<string, number>> {
  const search = async () => {
    const row = await read(id, accountId);
    if (row?.id !== id) throw new Error('another row was read');
  };
  await inLanes(CONCURRENT, untimed, search);
  const cpuOfPostgres = () => (postmaster === null ? 0 : serverCpuMs(postmaster));
  const before = { ...processCpu(process.pid), postgresMs: cpuOfPostgres() };
  const startedAtMs = performance.now();
  await inLanes(CONCURRENT, timed, search);
  const tookMs = performance.now() - startedAtMs;
  const after = { ...processCpu(process.pid), postgresMs: cpuOfPostgres() };
  const each = (name: keyof typeof before) => ((after[name] - before[name]) * 1_000) / timed;
  return {
    statementsPerSecond: (timed * 1_000) / tookMs,
    cpuMicroseconds: each('allMs'),
    mainThreadCpuMicroseconds: each('mainMs'),
    postgresCpuMicroseconds: each('postgresMs'),
  };
}
