import { existsSync, globSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { debianExecutable } from '../services/debian-executable.ts';
import { installDebianPackage } from '../services/debian-packages.ts';
import { findExecutable, isExecutable } from '../services/executable.ts';
import type { Log } from '../services/log.ts';
import { unpackDebianPackages } from '../services/unpacked-packages.ts';

/** The programs of others that the cluster runs, and that `npm start` does not. */
export interface ClusterExecutables {
  readonly etcd: string;
  readonly patroni: string;
  readonly pgbouncer: string;
  readonly haproxy: string;
  /** The folder with the programs of a Postgres server that Patroni calls. */
  readonly postgresBin: string;
}

/** What Patroni calls. The npm package of `npm start` has only the first three. */
const POSTGRES_TOOLS = [
  'initdb',
  'pg_ctl',
  'postgres',
  'pg_basebackup',
  'pg_controldata',
  'pg_isready',
  'pg_rewind',
];
const OLDEST_POSTGRES = 15;
const DEBIAN_POSTGRES = '/usr/lib/postgresql';

/**
 * Finds the programs on this machine, else gets them from Debian: installed where we are root, else unpacked below
 * `.sandbox`. Throws one message that names everything missing, before anything has started.
 */
export async function findClusterExecutables(log: Log): Promise<ClusterExecutables> {
  const [etcd, patroni, pgbouncer, haproxy, postgresBin] = [
    await program('etcd', 'etcd-server', log),
    await program('patroni', 'patroni', log),
    await program('pgbouncer', 'pgbouncer', log),
    await program('haproxy', 'haproxy', log),
    await postgresFolder(log),
  ];
  const missing = [
    ...(etcd === undefined ? ['etcd-server'] : []),
    ...(patroni === undefined ? ['patroni'] : []),
    ...(pgbouncer === undefined ? ['pgbouncer'] : []),
    ...(haproxy === undefined ? ['haproxy'] : []),
    ...(postgresBin === undefined ? ['postgresql'] : []),
  ];
  if (etcd && patroni && pgbouncer && haproxy && postgresBin)
    return { etcd, patroni, pgbouncer, haproxy, postgresBin };
  throw new MissingPackages(missing);
}

/** HAProxy alone. Throws when it is missing. */
export async function haproxyExecutable(log: Log): Promise<string> {
  const path = await program('haproxy', 'haproxy', log);
  if (path === undefined) throw new MissingPackages(['haproxy']);
  return path;
}

/** The cluster needs packages that are neither installed nor could be fetched. */
export class MissingPackages extends Error {
  constructor(packages: readonly string[]) {
    const several = packages.length > 1;
    super(
      `The cluster needs the Debian package${several ? 's' : ''} ${packages.join(', ')}, which could be neither installed nor downloaded. ` +
        `Install ${several ? 'them' : 'it'} (Debian 12 or newer: apt-get install --no-install-recommends ${packages.join(' ')}), or use npm start, which needs none.`,
    );
  }
}

async function program(name: string, packageName: string, log: Log): Promise<string | undefined> {
  return findExecutable(name) ?? (await debianExecutable(name, [packageName], log));
}

/** Postgres of Debian: Patroni needs more programs than the npm package has, and of the same version. */
async function postgresFolder(log: Log): Promise<string | undefined> {
  const present = newest(DEBIAN_POSTGRES);
  if (present !== undefined) return present;
  // The package's own programs are not on PATH; psql is.
  await installDebianPackage('postgresql', 'psql', log);
  const installed = newest(DEBIAN_POSTGRES);
  if (installed !== undefined) return installed;
  const script = await unpackDebianPackages(['postgresql'], 'psql', log);
  return script && newest(join(dirname(script), '..', 'root', DEBIAN_POSTGRES));
}

/** The newest version below a folder that has every program. */
function newest(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder)
    .filter((version) => Number(version) >= OLDEST_POSTGRES)
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => join(folder, version, 'bin'))
    .find((bin) => POSTGRES_TOOLS.every((tool) => isExecutable(join(bin, tool))));
}

/** Folders with the libraries of an unpacked Postgres; empty for an installed one. */
export function postgresLibraries(postgresBin: string): string[] {
  const root = postgresBin.split(DEBIAN_POSTGRES)[0] ?? '';
  if (root === '') return [];
  return [
    ...new Set(
      globSync('{lib,usr/lib}/{*-linux-gnu*,*}/*.so*', { cwd: root }).map((path) =>
        join(root, dirname(path)),
      ),
    ),
  ];
}
