import type { Database } from '../../db/client.ts';
import {
  ADMIN_CONNECTIONS,
  type ConnectedProcess,
  MIGRATE_CONNECTIONS,
  poolConnections,
  processConnections,
} from '../../db/connections.ts';
import { causeOf, type Finding, failed, ok } from './finding.ts';

export type ProcessCounts = Readonly<Partial<Record<ConnectedProcess, number>>>;

const processes = Object.keys(processConnections) as ConnectedProcess[];
/** Every deployment runs these; the others count when they are named or seen. */
const NEEDED: ProcessCounts = { api: 1, worker: 1, relay: 1 };
/** They reach Postgres through the pooler where there is one. */
const POOLED: ReadonlySet<ConnectedProcess> = new Set(['api', 'internal']);
const SHORT_COMMANDS = MIGRATE_CONNECTIONS + ADMIN_CONNECTIONS;

/** Parses counts such as `api=2,worker=2`; returns a description of the mistake in any other text. */
export function parseProcessCounts(text: string): ProcessCounts | string {
  const counts: Partial<Record<ConnectedProcess, number>> = {};
  for (const part of text.split(',')) {
    const [, name = '', count = ''] = /^\s*([a-z]+)=(\d{1,4})\s*$/.exec(part) ?? [];
    const process = processes.find((one) => one === name);
    if (process === undefined || process in counts)
      return `must be like api=2,worker=2, with ${processes.join(', ')}, each at most once`;
    counts[process] = Number(count);
  }
  return counts;
}

export interface Budget {
  counts: ProcessCounts;
  /** Origin of the counts, for the message. */
  source: string;
  /** Additional processes of each kind while a release is replaced. */
  surge: number;
}

/** The processes to count: those that are named, otherwise those seen. */
export async function countProcesses(
  database: Database,
  { named, surge }: { named: ProcessCounts | null; surge: number },
): Promise<Budget> {
  return named === null
    ? {
        counts: seenProcesses(await readSessions(database)),
        source: 'seen now; --processes sets other counts',
        surge,
      }
    : { counts: named, source: '--processes', surge };
}

/**
 * Checks that Postgres has enough connections for all processes at once.
 *
 * @param pooled maximum of sessions that a pooler opens for api and internal; null if there is no pooler
 */
export async function checkConnections(
  database: Database,
  budget: Budget,
  pooled: number | null,
): Promise<Finding> {
  try {
    const { others } = await readSessions(database);
    return judge(await readLimits(database), { budget, pooled, others });
  } catch (error) {
    return failed('connections', `they cannot be counted: ${causeOf(error)}`);
  }
}

export interface Limits {
  max: number;
  /** Connections reserved for superusers and other privileged users. */
  reserved: number;
}

function judge(
  { max, reserved }: Limits,
  { budget, pooled, others }: { budget: Budget; pooled: number | null; others: number },
): Finding {
  const { counts, source, surge } = budget;
  const running = processes.filter(
    (process) => (counts[process] ?? 0) > 0 && (pooled === null || !POOLED.has(process)),
  );
  const connectionsOf = (more: number) =>
    running.reduce((sum, one) => sum + ((counts[one] ?? 0) + more) * processConnections[one], 0);
  const parts = running.map((one) => `${one} ${counts[one]} × ${processConnections[one]}`).join(', ');
  const need = connectionsOf(surge) + (pooled ?? 0) + SHORT_COMMANDS + others;
  const available = max - reserved;
  const inUpgrade =
    surge === 0 ? '' : `, ${surge} more of each in an upgrade ${connectionsOf(surge) - connectionsOf(0)}`;
  const sum =
    `${parts} (${source})${inUpgrade}, ${pooled === null ? '' : `pooler ${pooled}, `}migrate and admin ${SHORT_COMMANDS}, other sessions now ${others}: ` +
    `at most ${need} of ${available} (max_connections ${max}, ${reserved} reserved)`;
  if (need <= available) return ok('connections', sum);
  return failed(
    'connections',
    `${sum}. Set max_connections to ${need + reserved} or more, or run fewer processes`,
  );
}

export async function readLimits(database: Database): Promise<Limits> {
  // `reserved_connections` exists from Postgres 16 on.
  const [row] = await database<Limits[]>`
    select current_setting('max_connections')::int as max,
      current_setting('superuser_reserved_connections')::int
        + coalesce(current_setting('reserved_connections', true)::int, 0) as reserved`;
  if (row === undefined) throw new Error('Postgres returned no limits');
  return row;
}

interface Sessions {
  /** Sessions on this database by their application name. */
  ours: ReadonlyMap<string, number>;
  /** Sessions that belong to no program of Launchwire on this database. */
  others: number;
}

const OURS = 'launchwire-';

async function readSessions(database: Database): Promise<Sessions> {
  // Background and parallel workers of the server do not count towards max_connections.
  const rows = await database<{ name: string; isHere: boolean; sessions: number }[]>`
    select application_name as name, datname = current_database() as is_here, count(*)::int as sessions
    from pg_stat_activity
    where datid is not null and usesysid is not null and leader_pid is null
    group by 1, 2`;
  const isOurs = ({ name, isHere }: { name: string; isHere: boolean }) => isHere && name.startsWith(OURS);
  return {
    ours: new Map(rows.filter(isOurs).map(({ name, sessions }) => [name.slice(OURS.length), sessions])),
    others: rows.filter((row) => !isOurs(row)).reduce((sum, { sessions }) => sum + sessions, 0),
  };
}

/** The smallest number of processes for these sessions: pools open connections on demand. */
function seenProcesses({ ours }: Sessions): ProcessCounts {
  const seen = (process: ConnectedProcess) =>
    Math.max(
      NEEDED[process] ?? 0,
      Math.ceil((ours.get(process) ?? 0) / poolConnections[process]),
      // Each process has one such session.
      ours.get(`${process}-metrics`) ?? 0,
      ours.get(`${process}-member`) ?? 0,
    );
  return Object.fromEntries(processes.map((process) => [process, seen(process)]));
}
