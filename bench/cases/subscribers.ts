import { until } from '../measurement/until.ts';
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
  /** Resolves when `count` requests have been received in total. */
  untilCount(count: number): Promise<void>;
  /** Starts to record arrivals. */
  startRecording(): Promise<void>;
  /** The recorded arrivals; ends the recording. */
  arrivals(): Promise<Arrival[]>;
  /** When each event arrived for the first time, by its id; ends the recording. A repeated delivery does not count. */
  firstArrivals(): Promise<ReadonlyMap<string, number>>;
}

const CLOCK_SAMPLES = 50;
const DEADLINE_MS = 180_000;

/** Milliseconds since the epoch, with fractions. */
export const epochMs = () => performance.timeOrigin + performance.now();

export async function connectSubscribers(port: number): Promise<Subscribers> {
  const origin = `http://127.0.0.1:${port}`;
  const offsetMs = await clockOffset(origin);
  const count = async () => ((await (await fetch(`${origin}/count`)).json()) as { count: number }).count;
  const arrivals = async () => {
    const recorded = (await (await fetch(`${origin}/arrivals`)).json()) as Arrival[];
    return recorded.map(({ id, atMs }) => ({ id, atMs: atMs - offsetMs }));
  };
  return {
    origin,
    count,
    async untilCount(wanted) {
      await until(`${wanted} requests have come`, async () => (await count()) >= wanted, {
        withinMs: DEADLINE_MS,
      });
    },
    startRecording: async () => void (await fetch(`${origin}/start-recording`)),
    arrivals,
    firstArrivals: async () => new Map((await arrivals()).reverse().map(({ id, atMs }) => [id, atMs])),
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
