import { pause } from '../pause.ts';
import type { Read } from './wait-for.ts';

/** The slot of mainnet in November 2026, for a service that does not say how long one is. */
const NOMINAL_SLOT_MS = 200;
/** A chain that is very fast or stands still changes no pause beyond these. */
const PAUSE_MIN_MS = 250;
const PAUSE_MAX_MS = 5_000;
const TIMEOUT_MS = 2_000;

/** The length of a slot by the client that reads it: it changes rarely, so one reading serves a client. */
const known = new WeakMap<Read, number>();

/** Waits about this many slots of the chain, by the pace that the service measured. Rejects when the signal aborts. */
export async function pauseSlots(read: Read, count: number, signal?: AbortSignal): Promise<void> {
  const slotMs = known.get(read) ?? (await readSlotMs(read, signal));
  if (slotMs !== null) known.set(read, slotMs);
  const pauseMs = count * (slotMs ?? NOMINAL_SLOT_MS);
  await pause(Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MIN_MS, pauseMs)), signal);
}

/** Null while the service has not measured it, does not respond, or is of a release that does not say it. */
async function readSlotMs(read: Read, signal: AbortSignal | undefined): Promise<number | null> {
  const answer = await read('getSolanaManifest', {}, { signal, maxRetries: 0, timeoutMs: TIMEOUT_MS }).catch(
    () => null,
  );
  const { network } = (answer?.body ?? {}) as { network?: { slotMs?: number | null } };
  return network?.slotMs ?? null;
}
