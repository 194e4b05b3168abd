import { createHash, randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stopOrphan } from './orphan-process.ts';
import { canWriteIn, type PostgresAccount } from './postgres-account.ts';
import { makeSharedFolder, sharedFolders } from './shared-folder.ts';

/** The place of a cluster, stored in `dataDir` as `location.json` (0600, because it has the password). */
export interface PostgresLocation {
  readonly clusterDir: string;
  readonly password: string;
}

/** The saved location of the cluster of `dataDir`; undefined before the first start. */
export function readLocation(dataDir: string): PostgresLocation | undefined {
  const file = join(dataDir, 'location.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as PostgresLocation) : undefined;
}

/** Chooses and saves an empty cluster folder: inside `dataDir` when the account can work there, else in a
 * shared folder under a name derived from `dataDir`. */
export function createLocation(dataDir: string, account: PostgresAccount | undefined): PostgresLocation {
  mkdirSync(dataDir, { recursive: true });
  const location = {
    clusterDir: createClusterDir(dataDir, account),
    password: randomBytes(24).toString('hex'),
  };
  writeFileSync(join(dataDir, 'location.json'), `${JSON.stringify(location, null, 2)}\n`, { mode: 0o600 });
  return location;
}

function createClusterDir(dataDir: string, account: PostgresAccount | undefined): string {
  const inside = join(dataDir, 'cluster');
  if (account === undefined) return emptyFolder(inside);
  if (isUsable(emptyFolder(inside), account)) return inside;
  const name = `cluster-${createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 16)}`;
  for (const folder of sharedFolders()) {
    makeSharedFolder(folder);
    const candidate = emptyFolder(join(folder, name));
    if (isUsable(candidate, account)) return candidate;
  }
  throw new Error(
    `The user ${account.name} can write neither in ${dataDir} nor in ${sharedFolders().join(', ')}.`,
  );
}

/** Gives the folder to the account; removes it again when the account cannot enter it. */
function isUsable(folder: string, account: PostgresAccount): boolean {
  chownSync(folder, account.uid, account.gid);
  if (canWriteIn(folder, account)) return true;
  rmSync(folder, { recursive: true, force: true });
  return false;
}

function emptyFolder(folder: string): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

/** Deletes a cluster and its saved location. A server that still runs on it is stopped first. */
export async function removePostgresData(dataDir: string): Promise<void> {
  const location = readLocation(resolve(dataDir));
  if (location !== undefined) {
    await stopOrphan(join(location.clusterDir, 'postmaster.pid'), location.clusterDir, 'SIGINT');
    rmSync(location.clusterDir, { recursive: true, force: true });
  }
  rmSync(resolve(dataDir), { recursive: true, force: true });
}
