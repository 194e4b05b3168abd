import type { OperationName } from '../operations.ts';
import { pauseSlots } from './pause-slots.ts';
import { HELD_MIN_MS, HELD_SECONDS, type Read, readingOf, type WaitOptions } from './wait-for.ts';
import { waiting } from './waiting.ts';

const POLL_SLOTS = 5;

/**
 * Reads a record, which `what` names, until it is no longer as asked: requests are held, or where the service has no room
 * for that, paced.
 */
export function waitWhile<Body extends { status: string }>(
  what: string,
  read: Read,
  operation: OperationName,
  parameters: Readonly<Record<string, unknown>>,
  isWaiting: (record: Body) => boolean,
  options: WaitOptions,
): Promise<Body> {
  const headers = { Prefer: `wait=${HELD_SECONDS}` };
  return waiting(what, options.signal, async (saw) => {
    for (;;) {
      const askedAtMs = performance.now();
      const record = (await read(operation, parameters, { ...readingOf(options), headers })).body as Body;
      saw(record);
      if (!isWaiting(record)) return record;
      if (performance.now() - askedAtMs < HELD_MIN_MS) await pauseSlots(read, POLL_SLOTS, options.signal);
    }
  });
}
