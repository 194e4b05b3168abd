type Cleanup = () => Promise<void>;

const cleanups: Cleanup[] = [];

/** Registers work for the end of this test process (of the file, when files are isolated): newest first. */
export function atEnd(cleanup: Cleanup): void {
  cleanups.push(cleanup);
}

/** Does all registered work and then reports failures. The preload calls it. */
export async function runCleanups(): Promise<void> {
  const failures: unknown[] = [];
  for (let cleanup = cleanups.pop(); cleanup !== undefined; cleanup = cleanups.pop()) {
    await cleanup().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, 'cleaning up after the tests failed');
}
