import { between, type Random, shuffled } from '../measurement/seeded-random.ts';

export const victims = ['relay', 'worker', 'broker', 'database'] as const;
export type Victim = (typeof victims)[number];

export interface Kill {
  /** Killed at the same time and restarted after the same pause. */
  readonly victims: readonly Victim[];
  /** Since the end of the last kill. */
  readonly pauseMs: number;
  readonly downMs: number;
}

const PAUSE_MS = [500, 3_000] as const;
const DOWN_MS = [50, 1_500] as const;
/** Every fourth kill hits two at the same time. */
const PAIR_SHARE = 0.25;

/** An endless sequence of kills: each series of four hits every victim at least once, in random order. */
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
