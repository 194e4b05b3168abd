import type { Figures } from '../measurement/rounds.ts';
import { median, medians } from '../measurement/statistics.ts';
import type { SizedDatabase } from './sized-databases.ts';

export interface SizedCall {
  /** Name of the figure, microseconds. */
  figure: string;
  /** Items of one call; 1 by default. */
  items?: number;
  /** A call on that database, which throws when its result is wrong. */
  on(database: SizedDatabase): () => Promise<void>;
}

/** Untimed calls, after which statement, plan and pages are cached. */
const WARM_UP_CALLS = 10;

/**
 * Median microseconds of each call at each size. Sizes take turns call by call, so that other load on the machine
 * affects all of them.
 */
export async function interleaved(
  databases: readonly SizedDatabase[],
  calls: readonly SizedCall[],
  { rounds, roundMs }: { rounds: number; roundMs: number },
): Promise<Figures[]> {
  const lanes = databases.map((database) => ({
    name: database.name,
    calls: calls.map(({ on }) => on(database)),
    rounds: [] as Record<string, number>[],
  }));
  for (const lane of lanes)
    for (const call of lane.calls) for (let warm = 0; warm < WARM_UP_CALLS; warm += 1) await call();
  for (let round = 0; round < rounds; round += 1) {
    for (const lane of lanes) lane.rounds.push({});
    for (const [at, { figure, items = 1 }] of calls.entries()) {
      const turns = lanes.map((lane) => ({ lane, call: lane.calls[at], tookMs: [] as number[] }));
      await takeTurns(turns, roundMs / calls.length);
      for (const { lane, tookMs } of turns) {
        const own = lane.rounds.at(-1);
        if (own !== undefined) own[figure] = (median(tookMs) * 1000) / items;
      }
    }
  }
  return lanes.map(({ name, rounds: measured }) => ({ name, median: medians(measured), rounds: measured }));
}

interface Turn {
  call: (() => Promise<void>) | undefined;
  tookMs: number[];
}

/** At least one turn each; the order reverses after every turn. */
async function takeTurns(turns: readonly Turn[], durationMs: number): Promise<void> {
  const endsAtMs = performance.now() + durationMs;
  let order = turns;
  do {
    for (const { call, tookMs } of order) {
      const startedAtMs = performance.now();
      await call?.();
      tookMs.push(performance.now() - startedAtMs);
    }
    order = order.toReversed();
  } while (performance.now() < endsAtMs);
}
