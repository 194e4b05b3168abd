import postgres from 'postgres';
import { driverAccess } from '../../src/db/access.ts';
import { type ClusterContext, namesOf } from './context.ts';

/**
 * The service's own database. Its migrations take the right to connect from everybody else, and Patroni's users connect
 * to `postgres` when a former primary is rewound.
 */
const DATABASE = 'launchwire';

/** Every server of the database; the driver finds the one that accepts writes. */
export async function databaseUrlFor(
  { links, secrets }: ClusterContext,
  from: string,
  database = DATABASE,
): Promise<string> {
  const ports = await Promise.all(namesOf('postgres').map((name) => links.portFor(from, name, 'postgres')));
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
  return `postgres://postgres:${secrets.superuser}@${hosts}/${database}`;
}

/** Creates the database at the first start. */
export async function createDatabase(context: ClusterContext, from: string): Promise<void> {
  const { url, ssl, hosts } = driverAccess(await databaseUrlFor(context, from, 'postgres'));
  const sql = postgres(url, { max: 1, ssl, ...hosts });
  try {
    const [known] = await sql`select 1 from pg_database where datname = ${DATABASE}`;
    if (known === undefined) await sql`create database ${sql(DATABASE)}`;
  } finally {
    await sql.end({ timeout: 1 });
  }
}
