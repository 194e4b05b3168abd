import { Database } from 'bun:sqlite';

/** Referenced for as long as the process lives: a collected database would close its file and drop the lock. */
let held: Database | undefined;

/** Holds the sandbox folder for this launcher until its end. The lock is the system's own on an open file, so it is
 * gone with the process, kill -9 included, and of two simultaneous starts one gets it. False when another launcher
 * has it. */
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
