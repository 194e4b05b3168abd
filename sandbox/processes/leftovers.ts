import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stopOrphan } from '../services/orphan-process.ts';
import { removePostgresData } from '../services/postgres-location.ts';
import type { SandboxFolder } from '../shared/sandbox-folder.ts';

/** SIGKILL follows after this time. */
const STOP_TIMEOUT_MS = 3_000;

/** The pid file of a process of the sandbox. */
export function pidFileOf(folder: SandboxFolder, name: string): string {
  return join(folder.pids, `${name}.pid`);
}

/** Stops the processes that a killed launcher left running, except for Postgres and nats-server, whose start stops their
 * predecessors. Our processes have the folder in their command line; an unrelated one with a reused pid does not.
 * Returns the names. */
export async function stopLeftovers(
  folder: SandboxFolder,
  isLeftover: (name: string) => boolean = () => true,
): Promise<string[]> {
  const names = readdirSync(folder.pids)
    .filter((file) => file.endsWith('.pid'))
    .map((file) => file.slice(0, -'.pid'.length))
    .filter(isLeftover);
  const stopped = await Promise.all(
    names.map(async (name) => {
      const pid = await stopOrphan(pidFileOf(folder, name), folder.root, 'SIGTERM', STOP_TIMEOUT_MS);
      return pid === undefined ? [] : [name];
    }),
  );
  return stopped.flat();
}

/** Deletes all data of the sandbox, but not what was installed for it (toolchain, nats-server). */
export async function deleteData(folder: SandboxFolder): Promise<void> {
  await removePostgresData(folder.postgres);
  await stopOrphan(join(folder.nats, 'nats.pid'), folder.nats);
  const { nats, chain, logs, stateFile, identityFile, secretKeyFile, marketFile, inboxFile, communityFile } =
    folder;
  const files = [stateFile, identityFile, secretKeyFile, marketFile, inboxFile, communityFile];
  for (const path of [nats, chain, logs, ...files]) {
    rmSync(path, { recursive: true, force: true });
  }
}
