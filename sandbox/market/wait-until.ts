import { wait } from '../../src/shared/loop.ts';

const POLL_MS = 100;
const DEADLINE_MS = 30_000;

/** Polls the chain until a condition holds. Throws after half a minute: what was sent has not landed. */
export async function waitUntil(holds: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (!(await holds())) {
    signal.throwIfAborted();
    if (performance.now() > deadline) throw new Error('a transaction of the market did not land');
    await wait(POLL_MS, signal);
  }
}
