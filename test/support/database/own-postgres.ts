import { readFileSync } from 'node:fs';
import { type PostgresServer, startPostgres } from '../../../sandbox/services/postgres.ts';
import { readLocation, removePostgresData } from '../../../sandbox/services/postgres-location.ts';
import { atEnd } from '../run/cleanup.ts';
import { createTempDir } from '../run/temp-dir.ts';

/** A Postgres server for one test, which may stop, start and freeze it. */
export interface OwnPostgres {
  readonly url: string;
  readonly port: number;
  /** The folder with its files, for damage while it is stopped. */
  readonly clusterDir: string;
  /** Ends the server; its port is free until `start`. */
  stop(): Promise<void>;
  /** Kills the server. It loses commits that it has not written to its log. */
  kill(): Promise<void>;
  /** Starts the server again on the same port, with all commits. */
  start(): Promise<void>;
  /** Stops every process of the server (SIGSTOP). The system still accepts connections for it. */
  freeze(): void;
  /** Resumes the processes. Harmless when nothing is frozen. */
  thaw(): void;
}

/** @param durable true writes a log that a standby can follow, as in production */
export async function startOwnPostgres({ durable = false } = {}): Promise<OwnPostgres> {
  const dataDir = createTempDir('own-postgres');
  let server: PostgresServer = await startPostgres({ dataDir, durable });
  const { url, port } = server;
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => signalServer(server.pid, name);
  let isFrozen = false;
  const own: OwnPostgres = {
    url,
    port,
    clusterDir: clusterOf(dataDir),
    stop: () => server.stop(),
    kill: () => server.kill(),
    async start() {
      server = await startPostgres({ dataDir, port, durable });
    },
    freeze() {
      signal('SIGSTOP');
      isFrozen = true;
    },
    thaw() {
      if (isFrozen) signal('SIGCONT');
      isFrozen = false;
    },
  };
  atEnd(async () => {
    own.thaw();
    await server.stop();
    await removePostgresData(dataDir);
  });
  return own;
}

function clusterOf(dataDir: string): string {
  const location = readLocation(dataDir);
  if (location === undefined) throw new Error(`no cluster belongs to ${dataDir}`);
  return location.clusterDir;
}

/** Sends a signal to every process of a server. The postmaster comes first, so that it starts no more processes. */
export function signalServer(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  process.kill(pid, name);
  for (const child of childrenOf(pid)) killUnlessEnded(child, name);
}

/** Each backend has its own session, so no signal to a group reaches all of them. */
function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

/** A child may end before its signal arrives. */
function killUnlessEnded(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
