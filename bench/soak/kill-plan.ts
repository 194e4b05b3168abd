import { between, type Random, shuffled } from '../measurement/seeded-random.ts';

export const victims = ['relay', 'worker', 'broker', 'database'] as const;
export type Victim = (typeof victims)[number];

export interface Kill {
  /** Killed at the same moment, and back after the same time. */
  readonly victims: readonly Victim[];
  /** Since the end of the last kill. */
  readonly pauseMs: number;
  readonly downMs: number;
}

const PAUSE_MS = [500, 3_000] as const;
const DOWN_MS = [50, 1_500] as const;
/** Every fourth kill takes two at once. */
const PAIR_SHARE = 0.25;

/** Kills without end: every four of them hit each of the four at least once, in an order of its own. */
export function* killPlan(random: Random): Generator<Kill> {
  for (;;) {
    const round = shuffled(random, victims);
    for (const [at, victim] of round.entries()) {
      const second = round[(at + 1) % round.length] ?? victim;
      yield {
        victims: random() < PAIR_SHARE ? [victim, second] : [victim],
        pauseMs: between(random, ...PAUSE_MS),
        downMs: between(random, ...DOWN_MS),
      };
    }
  }
}
