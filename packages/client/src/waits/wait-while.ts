import type { OperationName } from '../operations.ts';
import { pauseSlots } from './pause-slots.ts';
import { HELD_MIN_MS, HELD_SECONDS, type Read, readingOf, type WaitOptions } from './wait-for.ts';

const POLL_SLOTS = 5;

/**
 * Reads a record until it is no longer as asked: requests are held, or where the service has no room for that, paced.
 */
export async function waitWhile<Body>(
  read: Read,
  operation: OperationName,
  parameters: Readonly<Record<string, unknown>>,
  isWaiting: (record: Body) => boolean,
  options: WaitOptions,
): Promise<Body> {
  const headers = { Prefer: `wait=${HELD_SECONDS}` };
  for (;;) {
    const askedAtMs = performance.now();
    const { body } = await read(operation, parameters, { ...readingOf(options), headers });
    if (!isWaiting(body as Body)) return body as Body;
    if (performance.now() - askedAtMs < HELD_MIN_MS) await pauseSlots(read, POLL_SLOTS, options.signal);
  }
}
