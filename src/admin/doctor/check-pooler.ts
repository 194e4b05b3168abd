import postgres from 'postgres';
import { type DatabaseAccess, driverAccess } from '../../db/access.ts';
import type { Database } from '../../db/client.ts';
import { processConnections } from '../../db/connections.ts';
import { databaseLimits, defaultPatience, silenceMs } from '../../db/limits.ts';
import { type PooledRole, roleSettings } from '../../db/session-settings.ts';
import type { ProcessCounts } from './check-connections.ts';
import { causeOf, type Finding, failed, ok } from './finding.ts';

const PAGE = 'see "Connection poolers" in docs/operations/database.md';
const pooledRoles = Object.keys(roleSettings) as PooledRole[];

/** Limits of PgBouncer, as its console shows them; 0 is none. */
export interface PoolerLimits {
  version: string;
  mode: string;
  clientsMax: number;
  /** Sessions of one login. */
  poolSize: number;
  /** Sessions of all logins together. */
  sessionsMax: number;
  queryWaitSeconds: number;
  statementsMax: number;
  ignored: readonly string[];
}

/** Reads the limits for one database of Postgres. Rejects when the console cannot be used. */
export async function readPoolerLimits(
  access: Pick<DatabaseAccess, 'databaseCa'>,
  consoleUrl: string,
  databaseName: string,
): Promise<PoolerLimits> {
  const { url, ssl } = driverAccess({ databaseUrl: consoleUrl, databaseCa: access.databaseCa });
  const sql = postgres(url, { max: 1, ssl, fetch_types: false, connect_timeout: 5, onnotice: () => {} });
  try {
    const [shown] = await sql.unsafe<{ version: string }[]>('show version');
    const config = await sql.unsafe<{ key: string; value: string | null }[]>('show config');
    const databases = await sql.unsafe<PoolerDatabase[]>('show databases');
    const values = new Map(config.map(({ key, value }) => [key, value ?? '']));
    const number = (key: string) => Number(values.get(key) ?? 0);
    const entry = databases.find(({ database }) => database === databaseName);
    if (entry === undefined) throw new Error(`[databases] has no entry for ${databaseName}`);
    const reserve = Number(entry.reserve_pool_size ?? entry.reserve_pool ?? 0);
    return {
      version: shown?.version ?? 'PgBouncer',
      mode: entry.pool_mode ?? values.get('pool_mode') ?? 'unknown',
      clientsMax: number('max_client_conn'),
      poolSize: Number(entry.pool_size) + reserve,
      sessionsMax: Number(entry.max_connections ?? 0),
      queryWaitSeconds: number('query_wait_timeout'),
      statementsMax: number('max_prepared_statements'),
      ignored: (values.get('ignore_startup_parameters') ?? '').split(/[,\s]+/).filter(Boolean),
    };
  } finally {
    await sql.end({ timeout: 1 });
  }
}

interface PoolerDatabase {
  database: string;
  pool_size: number | string;
  reserve_pool?: number | string;
  reserve_pool_size?: number | string;
  pool_mode: string | null;
  max_connections: number | string | null;
}

/** Most sessions that the pooler opens for api and internal. */
export function sessionsOfPooler({ poolSize, sessionsMax }: PoolerLimits, counts: ProcessCounts): number {
  const logins = (counts.internal ?? 0) > 0 ? 2 : 1;
  const sessions = poolSize * logins;
  return sessionsMax > 0 ? Math.min(sessions, sessionsMax) : sessions;
}

/** Checks that the pooler has room for all clients, drops nothing, and has logins with role and limits. */
export async function checkPooler(
  database: Database,
  limits: PoolerLimits | Error,
  { counts, surge }: { counts: ProcessCounts; surge: number },
): Promise<Finding> {
  if (limits instanceof Error) return failed('pooler', `DATABASE_POOLER_URL: ${causeOf(limits)}`);
  const clients = (['api', 'internal'] as const)
    .filter((process) => (counts[process] ?? 0) > 0)
    .reduce((sum, process) => sum + ((counts[process] ?? 0) + surge) * processConnections[process], 0);
  const mistakes = [...limitMistakes(limits, clients), ...(await loginMistakes(database))];
  if (mistakes.length > 0) return failed('pooler', `${mistakes.join('; ')}: ${PAGE}`);
  const way = limits.statementsMax > 0 ? 'transaction' : 'transaction-unprepared';
  return ok(
    'pooler',
    `${limits.version}, by ${limits.mode}: at most ${clients} of ${limits.clientsMax} clients, ${sessionsOfPooler(limits, counts)} sessions` +
      (limits.mode === 'transaction' ? `, for DATABASE_POOLER=${way}` : ''),
  );
}

function limitMistakes(limits: PoolerLimits, clients: number): string[] {
  const { mode, clientsMax, queryWaitSeconds, ignored } = limits;
  const mistakes: string[] = [];
  if (mode !== 'transaction' && mode !== 'session')
    mistakes.push(`pool_mode is ${mode}: transactions would be cut, set it to transaction`);
  if (clients > clientsMax) mistakes.push(`max_client_conn is ${clientsMax}: set it to ${clients} or more`);
  const longest = Math.floor((silenceMs(databaseLimits.api, defaultPatience) ?? 0) / 1_000);
  if (queryWaitSeconds === 0 || queryWaitSeconds >= longest)
    mistakes.push(
      `query_wait_timeout is ${queryWaitSeconds} s: a request ends after ${longest} s, set it to 5`,
    );
  const dropped = ignored.filter((name) => name === 'role' || name in roleSettings.launchwire_api);
  if (dropped.length > 0)
    mistakes.push(`ignore_startup_parameters drops ${dropped.join(', ')} in silence: remove it`);
  return mistakes;
}

/** A session of the pooler has what its user has: the role and its settings. */
async function loginMistakes(database: Database): Promise<string[]> {
  const rows = await database<{ role: string; login: string; settings: string[] }[]>`
    select r.rolname as role, l.rolname as login,
      coalesce((select s.setconfig from pg_db_role_setting s where s.setrole = l.oid and s.setdatabase = 0), '{}') as settings
    from pg_roles r join pg_roles l on l.oid = r.oid
      or exists (select from pg_auth_members m where m.roleid = r.oid and m.member = l.oid)
    where r.rolname = any(${pooledRoles}) and l.rolcanlogin and not l.rolsuper`;
  return pooledRoles.flatMap((role) => {
    const logins = rows.filter((row) => row.role === role);
    // The internal API need not run.
    if (logins.length === 0 && role === 'launchwire_internal') return [];
    const wanted = Object.entries(roleSettings[role]).map(([name, value]) => `${name}=${value}`);
    const isComplete = ({ login, settings }: (typeof rows)[number]) =>
      wanted.every((setting) => settings.includes(setting)) &&
      (login === role || settings.includes(`role=${role}`));
    if (logins.some(isComplete)) return [];
    return [
      logins.length === 0
        ? `${role} has no login: run ops/postgres/users.sql`
        : `${logins.map(({ login }) => login).join(', ')} lacks role or limits of ${role}: run ops/postgres/users.sql`,
    ];
  });
}
