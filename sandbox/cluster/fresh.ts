import { readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { removePostgresData } from '../services/postgres-location.ts';
import type { SandboxFolder } from '../shared/sandbox-folder.ts';
import { namesOf } from './context.ts';
import { PGBOUNCER } from './pgbouncer.ts';

/** Deletes all data of a cluster that does not run. The lock of its launcher stays. */
export async function deleteClusterData(folder: SandboxFolder): Promise<void> {
  for (const name of [...namesOf('postgres'), PGBOUNCER]) await removePostgresData(join(folder.root, name));
  const lock = basename(folder.lockFile);
  for (const entry of readdirSync(folder.root))
    if (!entry.startsWith(lock)) rmSync(join(folder.root, entry), { recursive: true, force: true });
}
