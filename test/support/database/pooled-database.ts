import { randomBytes } from 'node:crypto';
import { type PgBouncerServer, startPgBouncer } from '../../../sandbox/services/pgbouncer.ts';
import type { PooledRole } from '../../../src/db/session-settings.ts';
import { atEnd } from '../run/cleanup.ts';
import { createTempDir } from '../run/temp-dir.ts';
import type { TestDatabase } from './database.ts';

export interface PooledDatabase {
  pooler: PgBouncerServer;
  /** Variables of a process that works through the pooler, with a login of its role. */
  environmentOf(role: PooledRole): { DATABASE_URL: string; DATABASE_POOLER: string };
  /** The same database for the owner, who has all rights and no limits. */
  ownerUrl: string;
  logins: Readonly<Record<PooledRole, string>>;
}

/** @param settings of PgBouncer, beside those of ops/pgbouncer/pgbouncer.ini */
export async function poolDatabase(
  database: TestDatabase,
  settings: Record<string, string | number> = {},
): Promise<PooledDatabase> {
  const { hostname, port, username, password: ownerPassword, pathname } = new URL(database.url);
  const name = pathname.slice(1);
  const suffix = randomBytes(4).toString('hex');
  const password = randomBytes(8).toString('hex');
  const logins = { launchwire_api: `api_${suffix}`, launchwire_internal: `internal_${suffix}` };
  for (const [role, login] of Object.entries(logins)) await createLogin(database, { role, login, password });
  const pooler = await startPgBouncer({
    dir: createTempDir('pgbouncer'),
    databases: { [name]: `host=${hostname} port=${port} dbname=${name}` },
    users: {
      ...Object.fromEntries(Object.values(logins).map((login) => [login, password])),
      [username]: ownerPassword,
      launchwire_stats: password,
    },
    settings,
  });
  atEnd(() => pooler.stop());
  return {
    pooler,
    logins,
    environmentOf: (role) => ({
      DATABASE_URL: pooler.urlOf(logins[role], name),
      DATABASE_POOLER: pooler.databasePooler,
    }),
    ownerUrl: pooler.urlOf(username, name),
  };
}

/** As ops/postgres/users.sql makes them: a member of its role, with the role and its settings. */
async function createLogin(
  { sql }: TestDatabase,
  { role, login, password }: { role: string; login: string; password: string },
): Promise<void> {
  await sql.unsafe(`create user ${login} password '${password}' in role ${role}`);
  atEnd(async () => void (await sql.unsafe(`drop user ${login}`)));
  await sql.unsafe(`alter user ${login} set role = '${role}'`);
  const rows = await sql<{ change: string }[]>`
    select format('alter user %I set %I = %L', ${login}::text, split_part(setting, '=', 1),
      substr(setting, strpos(setting, '=') + 1)) as change
    from pg_db_role_setting s join pg_roles r on r.oid = s.setrole, unnest(s.setconfig) as setting
    where s.setdatabase = 0 and r.rolname = ${role}`;
  for (const { change } of rows) await sql.unsafe(change);
}
