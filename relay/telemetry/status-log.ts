import type { Logger } from '../../src/shared/log.ts';
import { wait } from '../../src/shared/loop.ts';
import type { Slots } from '../dispatch/slots.ts';
import type { Counters } from './counters.ts';

const STATUS_MS = 60_000;

/** Logs what this relay has done so far, once a minute. */
export async function statusLoop(
  { counters, slots, log }: { counters: Counters; slots: Slots; log: Logger },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await wait(STATUS_MS, signal);
    log.info({ inFlight: slots.used, ...counters }, 'relay.status');
  }
}
