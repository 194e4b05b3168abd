import { Database } from 'bun:sqlite';

/** Keeps a reference for the life of the process: a collected database would close its file and drop the lock. */
const held: Database[] = [];

/**
 * Locks the sandbox folder for this launcher until its process ends, by kill -9 too: the operating system holds the lock
 * on an open file. One of two launchers that start at once gets it. Returns false when another launcher holds it.
 */
export function lockSandbox(lockFile: string): boolean {
  const lock = new Database(lockFile, { create: true });
  try {
    lock.run('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return false;
    throw error;
  }
  held.push(lock);
  return true;
}
