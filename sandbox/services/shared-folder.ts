import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Folders of root that every account can enter, the permanent one first, for a checkout that only root can enter. A
 * folder that another account owns or can write is left out, because root runs files from it. */
export function sharedFolders(): string[] {
  return ['/var/lib/launchwire', join(tmpdir(), 'launchwire-shared')].filter((folder) => {
    const found = lstatSync(folder, { throwIfNoEntry: false });
    return found === undefined || (found.isDirectory() && found.uid === 0 && (found.mode & 0o022) === 0);
  });
}

/** Creates a folder that every account can enter, with any umask. */
export function makeSharedFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
}
