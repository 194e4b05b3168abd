import { wait } from '../../src/shared/loop.ts';

export interface Arrival {
  /** `webhook-id`: the event. */
  id: string;
  /** Time on this process's clock, milliseconds since the epoch. */
  atMs: number;
}

/** Client of the receiving process (`subscriber-process.ts`). */
export interface Subscribers {
  origin: string;
  /** Total number of requests received. */
  count(): Promise<number>;
  /** Resolves when that many requests have been received in total. */
  untilCount(count: number): Promise<void>;
  /** Starts to record arrivals. */
  startRecording(): Promise<void>;
  /** The recorded arrivals; ends the recording. */
  arrivals(): Promise<Arrival[]>;
}

const CLOCK_SAMPLES = 50;
const POLL_MS = 10;
const DEADLINE_MS = 180_000;

/** Milliseconds since the epoch, with fractions. */
export const epochMs = () => performance.timeOrigin + performance.now();

export async function connectSubscribers(port: number): Promise<Subscribers> {
  const origin = `http://127.0.0.1:${port}`;
  const offsetMs = await clockOffset(origin);
  const count = async () => ((await (await fetch(`${origin}/count`)).json()) as { count: number }).count;
  return {
    origin,
    count,
    async untilCount(wanted) {
      const deadline = AbortSignal.timeout(DEADLINE_MS);
      while ((await count()) < wanted) {
        deadline.throwIfAborted();
        await wait(POLL_MS, deadline);
      }
    },
    startRecording: async () => void (await fetch(`${origin}/start-recording`)),
    async arrivals() {
      const recorded = (await (await fetch(`${origin}/arrivals`)).json()) as Arrival[];
      return recorded.map(({ id, atMs }) => ({ id, atMs: atMs - offsetMs }));
    },
  };
}

/** How far the other process's clock is ahead, from the exchange with the shortest round trip. */
async function clockOffset(origin: string): Promise<number> {
  let shortestMs = Number.POSITIVE_INFINITY;
  let offsetMs = 0;
  for (let sample = 0; sample < CLOCK_SAMPLES; sample += 1) {
    const sentMs = epochMs();
    const { nowMs } = (await (await fetch(`${origin}/clock`)).json()) as { nowMs: number };
    const roundTripMs = epochMs() - sentMs;
    if (roundTripMs >= shortestMs) continue;
    shortestMs = roundTripMs;
    offsetMs = nowMs - (sentMs + roundTripMs / 2);
  }
  return offsetMs;
}
