import type { TestApi } from './api.ts';

/**
 * Stops the clock of the caches: no entry becomes too old, so a change that readers see came by a hint. Returns a
 * function that lets time go on.
 */
export function stopAgeing({ dependencies: { caches } }: TestApi): () => void {
  const { nowMs } = caches;
  const stoppedAtMs = nowMs();
  caches.nowMs = () => stoppedAtMs;
  return () => {
    caches.nowMs = nowMs;
  };
}
