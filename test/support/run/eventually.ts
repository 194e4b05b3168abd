import { addWait } from './waits.ts';

const POLL_MS = 10;
/** Ends a hang before the test's limit, with a message that names the awaited condition. */
const TIMEOUT_MS = 180_000;

/** Waits until `check` yields something other than null, undefined or false; fails loudly after `timeoutMs`. */
export async function eventually<Value>(
  what: string,
  check: () => Promise<Value | null | undefined | false>,
  timeoutMs = TIMEOUT_MS,
): Promise<Value> {
  const startedAt = performance.now();
  const deadline = startedAt + timeoutMs;
  try {
    while (performance.now() < deadline) {
      const value = await check();
      if (value !== null && value !== undefined && value !== false) return value;
      // biome-ignore lint/plugin: between two looks
      await Bun.sleep(POLL_MS);
    }
  } finally {
    // biome-ignore lint/plugin: the run reports where it waited
    addWait(what, performance.now() - startedAt);
  }
  throw new Error(`${what}: not within ${timeoutMs} ms`);
}
