export type Random = () => number;

/** Numbers in [0, 1), always the same for a seed (xorshift32). */
export function seededRandom(seed: number): Random {
  // Mixed first: neighbouring seeds would begin with similar numbers, and 0 would stay 0.
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** A whole number between two bounds, both included. */
export function between(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1));
}

/** The values in random order. */
export function shuffled<Value>(random: Random, values: readonly Value[]): Value[] {
  return values
    .map((value) => ({ value, rank: random() }))
    .sort((left, right) => left.rank - right.rank)
    .map(({ value }) => value);
}
