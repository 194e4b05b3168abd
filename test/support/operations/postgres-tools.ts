import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { installDebianPackage } from '../../../sandbox/services/debian-packages.ts';
import { findExecutable } from '../../../sandbox/services/executable.ts';
import { silent } from '../../../sandbox/services/log.ts';
import type { PostgresBinaries } from '../../../sandbox/services/postgres-binaries.ts';

const DEBIAN = '/usr/lib/postgresql';
const PROGRAMS = ['initdb', 'postgres', 'psql', 'pg_dump', 'pg_restore'];

/** A server and its client programs of the same version, because `pg_dump` refuses a newer server. */
export interface PostgresTools {
  folder: string;
  binaries: PostgresBinaries;
}

/** Finds them on the machine, else in Debian's package. The npm package of the other tests has no client
 * programs. */
export async function findPostgresTools(): Promise<PostgresTools> {
  const folder = completeFolder() ?? (await installed());
  if (folder === undefined)
    throw new Error(
      'Postgres with psql and pg_dump is missing: install it (Debian: apt-get install postgresql)',
    );
  const version = Bun.spawnSync([join(folder, 'postgres'), '--version']).stdout.toString();
  const majorVersion = Number(/\(PostgreSQL\) (\d+)/.exec(version)?.[1]);
  const path = (name: string) => join(folder, name);
  return { folder, binaries: { initdb: path('initdb'), postgres: path('postgres'), majorVersion } };
}

async function installed(): Promise<string | undefined> {
  await installDebianPackage('postgresql', 'pg_dump', silent);
  return completeFolder();
}

function completeFolder(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const onPath = findExecutable('postgres');
  return [
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
    ...(onPath === undefined ? [] : [dirname(onPath)]),
  ].find((folder) => PROGRAMS.every((name) => existsSync(join(folder, name))));
}
