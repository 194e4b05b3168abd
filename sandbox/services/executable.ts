import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Searched after PATH: Debian puts servers in sbin, which an ordinary user's PATH leaves out. */
const EXTRA_FOLDERS = ['/usr/local/sbin', '/usr/sbin', '/usr/local/bin', '/usr/bin', '/opt/homebrew/bin'];

/** Full path of the first executable called `name` on PATH or in the usual folders of servers. */
export function findExecutable(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...EXTRA_FOLDERS];
  return folders
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
