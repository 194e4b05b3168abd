import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { runCommand } from '../../../sandbox/services/command.ts';
import { type PostgresServer, startPostgres } from '../../../sandbox/services/postgres.ts';
import { postgresAccount } from '../../../sandbox/services/postgres-account.ts';
import {
  createLocation,
  readLocation,
  removePostgresData,
} from '../../../sandbox/services/postgres-location.ts';
import { TcpLink } from '../../../sandbox/services/tcp-link.ts';
import { atEnd } from '../run/cleanup.ts';
import { eventually } from '../run/eventually.ts';
import { createTempDir } from '../run/temp-dir.ts';
import { withDatabase } from './database-url.ts';
import { signalServer } from './own-postgres.ts';

/** A primary and its standby. */
export interface ReplicatedPostgres {
  /** The database `postgres` of the current primary, by an address that both have in common. */
  readonly url: string;
  /** The same with the addresses of both servers, as in DATABASE_URL. */
  readonly hosts: string;
  /** Waits until the standby has everything. */
  catchUp(): Promise<void>;
  /** Cuts the standby off from its primary. */
  cutReplication(): void;
  /** Kills the primary, or freezes it, and promotes the standby. New connections then go to it. */
  failOver(how?: { freeze: boolean }): Promise<void>;
  /** The database `postgres` of the standby, also while it is one. */
  readonly standbyUrl: string;
}

const REPLICATES = [
  'wal_level=replica',
  'max_wal_senders=4',
  'wal_keep_size=512MB',
  'full_page_writes=on',
  'synchronous_commit=on',
  // Checkpoints are slow, as in a large database. The control file names the earlier timeline until a
  // checkpoint is over.
  'checkpoint_timeout=1h',
];

/** @param synchronous commits wait for the standby; it is then never behind what a client has seen */
export async function startReplicatedPostgres({ synchronous = false } = {}): Promise<ReplicatedPostgres> {
  const [primaryDir, standbyDir] = [createTempDir('primary'), createTempDir('standby')];
  const primary = await startPostgres({ dataDir: primaryDir, durable: false, settings: REPLICATES });
  const address = await TcpLink.open('clients→primary', [primary.port]);
  const replication = await TcpLink.open('standby→primary', [primary.port]);
  const standby = await startStandby(primary, { primaryDir, standbyDir, replicationPort: replication.port });
  const admins = [primary, standby].map(({ url }) => postgres(url, { max: 1, onnotice: () => {} }));
  const [onPrimary, onStandby] = admins;
  if (onPrimary === undefined || onStandby === undefined) throw new Error('two servers');
  let isFrozen = false;
  atEnd(async () => {
    if (isFrozen) signalServer(primary.pid, 'SIGCONT');
    await Promise.all(admins.map((sql) => sql.end({ timeout: 1 })));
    for (const link of [address, replication]) link.close();
    await Promise.all([primary.stop(), standby.stop()]);
    await Promise.all([primaryDir, standbyDir].map(removePostgresData));
  });
  if (synchronous) {
    await onPrimary`alter system set synchronous_standby_names = '*'`;
    await onPrimary`select pg_reload_conf()`;
    await eventually('the standby is synchronous', async () => {
      const [row] = await onPrimary`select from pg_stat_replication where sync_state = 'sync'`;
      return row !== undefined;
    });
  }
  const url = new URL(primary.url);
  url.port = String(address.port);
  return {
    url: url.href,
    hosts: primary.url.replace(/:\d+\//, `:${primary.port},127.0.0.1:${standby.port}/`),
    async catchUp() {
      const [row] = await onPrimary<{ written: string }[]>`select pg_current_wal_lsn()::text as written`;
      await eventually('the standby has everything', async () => {
        const [replayed] = await onStandby<{ isThere: boolean }[]>`
          select pg_last_wal_replay_lsn() >= ${row?.written ?? ''}::pg_lsn as "isThere"`;
        return replayed?.isThere === true;
      });
    },
    cutReplication: () => replication.set({ mode: 'refused' }),
    standbyUrl: standby.url,
    async failOver({ freeze } = { freeze: false }) {
      address.set({ mode: 'refused' });
      if (freeze) {
        signalServer(primary.pid, 'SIGSTOP');
        isFrozen = true;
      } else await primary.kill();
      await onStandby`select pg_promote()`;
      address.pointTo(standby.port);
    },
  };
}

interface Folders {
  primaryDir: string;
  standbyDir: string;
  replicationPort: number;
}

/** Copies the files between the start and the end of a backup, like pg_basebackup, which some Postgres
 * packages lack. */
async function startStandby(
  primary: PostgresServer,
  { primaryDir, standbyDir, replicationPort }: Folders,
): Promise<PostgresServer> {
  const from = readLocation(primaryDir);
  if (from === undefined) throw new Error(`no cluster belongs to ${primaryDir}`);
  const account = postgresAccount();
  const { clusterDir } = createLocation(standbyDir, account);
  const sql = postgres(primary.url, { max: 1, onnotice: () => {} });
  await sql`select pg_backup_start('standby', true)`;
  await mustRun('cp', ['-a', `${from.clusterDir}/.`, clusterDir]);
  const [backup] = await sql<{ labelfile: string }[]>`select labelfile from pg_backup_stop()`;
  await sql.end();
  const within = (...names: string[]) => join(clusterDir, ...names);
  for (const name of ['postmaster.pid', 'postmaster.opts', 'pg_wal'])
    rmSync(within(name), { recursive: true });
  mkdirSync(within('pg_wal', 'archive_status'), { recursive: true });
  writeFileSync(within('backup_label'), backup?.labelfile ?? '');
  writeFileSync(within('standby.signal'), '');
  const conninfo = `host=127.0.0.1 port=${replicationPort} user=postgres password=${from.password}`;
  appendFileSync(within('postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`);
  if (account !== undefined) await mustRun('chown', ['-R', `${account.uid}:${account.gid}`, clusterDir]);
  const standby = await startPostgres({ dataDir: standbyDir, durable: false, settings: REPLICATES });
  const { password } = new URL(primary.url);
  const url = new URL(standby.url);
  url.password = password;
  return { ...standby, url: withDatabase(url.href, 'postgres') };
}

async function mustRun(command: string, args: readonly string[]): Promise<void> {
  const { succeeded, output } = await runCommand(command, args);
  if (!succeeded) throw new Error(`${command} failed: ${output}`);
}
