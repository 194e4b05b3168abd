import postgres from 'postgres';
import { type ClusterContext, namesOf } from './context.ts';
import { HAPROXY } from './haproxy.ts';
import { primaryOf } from './patroni.ts';

/**
 * The service's own database. Its migrations take the right to connect from everybody else, and Patroni's users connect
 * to `postgres` when a former primary is rewound.
 */
export const DATABASE = 'launchwire';
/** The migrations make it, with its limits: a pooler passes on no settings of a client. */
export const API_ROLE = 'launchwire_api';

/** Every server of the database; the driver finds the one that accepts writes. */
export async function databaseUrlFor({ links, secrets }: ClusterContext, from: string): Promise<string> {
  const ports = await Promise.all(namesOf('postgres').map((name) => links.portFor(from, name, 'postgres')));
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
  return `postgres://postgres:${secrets.superuser}@${hosts}/${DATABASE}`;
}

/** One server of the database, whatever its role. */
export async function databaseUrlOf(
  { links, secrets }: Pick<ClusterContext, 'links' | 'secrets'>,
  from: string,
  name: string,
): Promise<string> {
  const port = await links.portFor(from, name, 'postgres');
  return `postgres://postgres:${secrets.superuser}@127.0.0.1:${port}/${DATABASE}`;
}

/**
 * The standby, whichever server it is, with the login of the apis (docs/operations/configuration.md, "Reads from a
 * replica").
 */
export async function replicaUrlFor({ links, secrets }: ClusterContext, from: string): Promise<string> {
  const port = await links.portFor(from, HAPROXY, 'standby');
  return `postgres://${API_ROLE}:${secrets.api}@127.0.0.1:${port}/${DATABASE}`;
}

/** Creates the database at the first start. */
export function createDatabase(context: ClusterContext, from: string): Promise<void> {
  return onPrimary(context, from, 'postgres', async (sql) => {
    const [known] = await sql`select 1 from pg_database where datname = ${DATABASE}`;
    if (known === undefined) await sql`create database ${sql(DATABASE)}`;
  });
}

/** Lets the apis log in as their role, after the migrations. */
export function createApiLogin(context: ClusterContext, from: string): Promise<void> {
  return onPrimary(context, from, DATABASE, async (sql) => {
    await sql.unsafe(`alter role ${API_ROLE} login password '${context.secrets.api}'`);
  });
}

async function onPrimary(
  context: ClusterContext,
  from: string,
  database: string,
  work: (sql: postgres.Sql) => Promise<void>,
): Promise<void> {
  const primary = await primaryOf(context);
  if (primary === null) throw new Error('Postgres has no primary');
  const sql = postgres({
    host: '127.0.0.1',
    port: await context.links.portFor(from, primary, 'postgres'),
    database,
    user: 'postgres',
    password: context.secrets.superuser,
    max: 1,
  });
  try {
    await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}
