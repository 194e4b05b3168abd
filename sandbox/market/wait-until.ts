import { wait } from '../../src/shared/loop.ts';

const POLL_MS = 100;
const DEADLINE_MS = 30_000;

/** Waits until a condition on the chain is true. Throws after half a minute. */
export async function waitUntil(isTrue: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (!(await isTrue())) {
    signal.throwIfAborted();
    if (performance.now() > deadline)
      throw new Error(`a transaction did not land within ${DEADLINE_MS / 1_000} s`);
    await wait(POLL_MS, signal);
  }
}
