import { Database } from 'bun:sqlite';

/** Referenced for as long as the process lives: a collected database would close its file and drop the lock. */
let held: Database | undefined;

/** Locks the sandbox folder for this launcher until it ends. The operating system holds the lock on an open file, so
 * it ends with the process, kill -9 included, and one of two simultaneous starts gets it. False when another launcher
 * holds it. */
export function lockSandbox(lockFile: string): boolean {
  const lock = new Database(lockFile, { create: true });
  try {
    lock.run('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return false;
    throw error;
  }
  held = lock;
  return held !== undefined;
}
