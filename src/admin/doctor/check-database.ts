import type { AdminConfig } from '../../config/load.ts';
import type { Database } from '../../db/client.ts';
import type { DatabaseClock } from '../../db/database-clock.ts';
import { databaseFailure, databaseFailures } from '../../db/failure.ts';
import { grantMistakes } from '../../db/grants.ts';
import { databaseRoles } from '../../db/roles.ts';
import { readSchemaVersion, requiredSchemaVersion } from '../../db/schema-version.ts';
import { type SessionFault, sessionFault } from '../../db/session.ts';
import { readStandbyState, type StandbyState } from '../../db/standby.ts';
import { checkConnections, countProcesses, type ProcessCounts } from './check-connections.ts';
import { checkPooler, readPoolerLimits, sessionsOfPooler } from './check-pooler.ts';
import { checkReplica } from './check-replica.ts';
import { causeOf, type Finding, failed, ok, skipped } from './finding.ts';

const MISTAKES_SHOWN = 5;

/**
 * Checks that Postgres responds, agrees with this machine's clock, has the schema and the rights that the
 * processes need, and has enough connections.
 */
export async function checkDatabase(
  database: Database,
  clock: DatabaseClock,
  { processes, config }: { processes: { named: ProcessCounts | null; surge: number }; config: AdminConfig },
): Promise<Finding[]> {
  const [server] = await database<Server[]>`
    select current_setting('server_version') as version, current_user as user, current_database() as name, tls.version as tls
    from pg_stat_ssl tls where pid = pg_backend_pid()`.catch((error: unknown) => [error]);
  if (server === undefined || !isServer(server)) {
    const failure = databaseFailure(server);
    const cause = failure === null ? causeOf(server) : databaseFailures[failure];
    return [
      failed('postgres', `DATABASE_URL: ${cause}`),
      skipped('clock', 'needs Postgres'),
      skipped('schema', 'needs Postgres'),
      skipped('roles', 'needs Postgres'),
      skipped('connections', 'needs Postgres'),
      skipped('standby', 'needs Postgres'),
    ];
  }
  const { version, user, name, tls } = server;
  const fault = await sessionFault(database);
  return [
    fault === null
      ? ok('postgres', `PostgreSQL ${version}, database ${name}, as ${user}, ${tls ?? 'without TLS'}`)
      : failed('postgres', faultText(fault)),
    checkClock(clock),
    await checkSchema(database),
    await checkRoles(database),
    ...(await checkCapacity(database, { processes, config, name })),
    await checkStandby(database),
    ...(await replicaFindings(database, { processes, config })),
  ];
}

interface CapacityOptions {
  processes: { named: ProcessCounts | null; surge: number };
  config: AdminConfig;
}

/** Connections of all processes, and the pooler where its console is named. */
async function checkCapacity(
  database: Database,
  { processes, config, name }: CapacityOptions & { name: string },
): Promise<Finding[]> {
  const budget = await countProcesses(database, processes).catch((error: Error) => error);
  if (budget instanceof Error) return [failed('connections', `they cannot be counted: ${causeOf(budget)}`)];
  const { databasePoolerUrl } = config;
  if (databasePoolerUrl === undefined) return [await checkConnections(database, budget, null)];
  const limits = await readPoolerLimits(config, databasePoolerUrl, name).catch((error: Error) => error);
  const pooled = limits instanceof Error ? null : sessionsOfPooler(limits, budget.counts);
  return [await checkConnections(database, budget, pooled), await checkPooler(database, limits, budget)];
}

async function replicaFindings(
  database: Database,
  { processes, config }: CapacityOptions,
): Promise<Finding[]> {
  const { databaseReplicaUrl: replicaUrl } = config;
  if (replicaUrl === undefined) return [];
  const { counts, surge } = await countProcesses(database, processes);
  return [await checkReplica(database, config, { replicaUrl, apis: (counts.api ?? 0) + surge })];
}

function faultText({ failure, detail }: SessionFault): string {
  return `DATABASE_URL: ${databaseFailures[failure]}${detail === '' ? '' : ` (${detail})`}`;
}

interface Server {
  version: string;
  user: string;
  name: string;
  /** Version of the TLS protocol; null in clear text. */
  tls: string | null;
}

function isServer(value: unknown): value is Server {
  return typeof value === 'object' && value !== null && 'version' in value;
}

const PAGE = 'see docs/operations/failover.md';
const standbyFindings: Readonly<Record<StandbyState, Finding>> = {
  none: ok('standby', 'none: a 202 is as durable as the disk of this server'),
  asynchronous: ok(
    'standby',
    `connected, and no commit waits for it: what was acknowledged last is lost with this server, ${PAGE}`,
  ),
  synchronous: ok('standby', 'connected, and commits wait for it: a 202 survives the loss of this server'),
  missing: failed(
    'standby',
    `commits wait for synchronous_standby_names, and no standby is connected: start one, or empty the setting, ${PAGE}`,
  ),
  not_awaited: failed(
    'standby',
    `synchronous_standby_names is set, but synchronous_commit does not wait for it: set it to on, ${PAGE}`,
  ),
};

async function checkStandby(database: Database): Promise<Finding> {
  return standbyFindings[await readStandbyState(database)];
}

function checkClock(clock: DatabaseClock): Finding {
  const reason = clock.dispute();
  if (reason !== null) return failed('clock', `${reason}: synchronise both by NTP`);
  return ok('clock', `${((clock.skewMs ?? 0) / 1_000).toFixed(3)} s from that of Postgres`);
}

async function checkSchema(database: Database): Promise<Finding> {
  const version = await readSchemaVersion(database);
  if (version === requiredSchemaVersion) return ok('schema', 'the one that this release needs');
  if (version > requiredSchemaVersion) return ok('schema', 'newer than this release, which supports it');
  const is = version === 0 ? 'never migrated' : 'older than this release needs';
  return failed('schema', `${is}: run the migrations of this release (npm run migrate)`);
}

async function checkRoles(database: Database): Promise<Finding> {
  const rows = await database<{ rolname: string }[]>`
    select rolname from pg_roles where rolname = any(${[...databaseRoles]})`;
  const missing = databaseRoles.filter((role) => rows.every(({ rolname }) => rolname !== role));
  if (missing.length > 0)
    return failed('roles', `${missing.join(', ')} missing: run the migrations of this release`);
  const mistakes = await grantMistakes(database);
  if (mistakes.length === 0) return ok('roles', `${databaseRoles.length} roles with the rights they need`);
  const more = mistakes.length - MISTAKES_SHOWN;
  const shown = [...mistakes.slice(0, MISTAKES_SHOWN), ...(more > 0 ? [`and ${more} more`] : [])];
  return failed(
    'roles',
    `${shown.join('; ')}: compare with src/db/grants.ts, a dump without rights does not include them`,
  );
}
