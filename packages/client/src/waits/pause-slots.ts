import { pause } from '../pause.ts';
import type { Read } from './wait-for.ts';

/** The slot of mainnet in November 2026, for a service that does not say how long one is. */
const NOMINAL_SLOT_MS = 200;
/** A chain that is very fast or stands still changes no pause beyond these. */
const PAUSE_MIN_MS = 250;
const PAUSE_MAX_MS = 5_000;
const TIMEOUT_MS = 2_000;
/** The service reads the pace as often. Also an answer without one is kept, so that a wait costs hardly a request. */
const KEPT_MS = 60_000;

/** What the service of a client said last. */
const known = new WeakMap<Read, { slotMs: number; readAtMs: number }>();

/** Waits about this many slots of the chain, by the pace that the service measured. Rejects when the signal aborts. */
export async function pauseSlots(read: Read, count: number, signal?: AbortSignal): Promise<void> {
  const pauseMs = count * (await slotMsOf(read, signal));
  await pause(Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MIN_MS, pauseMs)), signal);
}

async function slotMsOf(read: Read, signal: AbortSignal | undefined): Promise<number> {
  const last = known.get(read);
  if (last !== undefined && performance.now() - last.readAtMs < KEPT_MS) return last.slotMs;
  const slotMs = await readSlotMs(read, signal);
  signal?.throwIfAborted();
  known.set(read, { slotMs, readAtMs: performance.now() });
  return slotMs;
}

/** As assumed while the service has not measured it, does not respond, or is of a release that does not say it. */
async function readSlotMs(read: Read, signal: AbortSignal | undefined): Promise<number> {
  const answer = await read('getSolanaManifest', {}, { signal, maxRetries: 0, timeoutMs: TIMEOUT_MS }).catch(
    () => null,
  );
  const { network } = (answer?.body ?? {}) as { network?: { slotMs?: unknown } | null };
  const slotMs = Number(network?.slotMs);
  return slotMs > 0 ? slotMs : NOMINAL_SLOT_MS;
}
