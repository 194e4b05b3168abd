import { Database } from 'bun:sqlite';

/** Holds the sandbox folder for one launcher. The lock is the system's own on an open file, so it is gone with the
 * process that held it, kill -9 included, and two simultaneous starts cannot both have it. Undefined when another
 * launcher has it. */
export function lockSandbox(lockFile: string): { release(): void } | undefined {
  const lock = new Database(lockFile, { create: true });
  try {
    lock.run('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return undefined;
    throw error;
  }
  return { release: () => lock.close() };
}
