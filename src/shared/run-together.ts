/**
 * Runs loops until all have ended. The first one that rejects stops the others, and its error is thrown when they have
 * ended: a process that does only part of its work must not go unnoticed.
 */
export async function runTogether(
  signal: AbortSignal,
  start: (stop: AbortSignal) => readonly Promise<void>[],
): Promise<void> {
  const failed = new AbortController();
  const loops = start(AbortSignal.any([signal, failed.signal]));
  try {
    await Promise.all(loops);
  } catch (error) {
    failed.abort();
    await Promise.allSettled(loops);
    throw error;
  }
}
