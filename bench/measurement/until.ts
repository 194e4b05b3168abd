const POLL_MS = 10;
const WITHIN_MS = 120_000;

/** Calls `look` until it returns something other than false or undefined. Throws when that takes too long. */
export async function until<Value>(
  what: string,
  look: () => Promise<Value | false | undefined> | Value | false | undefined,
  { pollMs = POLL_MS, withinMs = WITHIN_MS }: { pollMs?: number; withinMs?: number } = {},
): Promise<Value> {
  const deadlineMs = performance.now() + withinMs;
  for (;;) {
    const value = await look();
    if (value !== false && value !== undefined) return value;
    if (performance.now() > deadlineMs) throw new Error(`${what}: not within ${withinMs} ms`);
    await Bun.sleep(pollMs);
  }
}
