import { areaOf } from './areas.ts';
import type { Mutant } from './mutant.ts';

/** Numbers from 0 to below 1 that depend on the seed alone (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Draw {
  readonly count: number;
  readonly seed: number;
  readonly accepts: (mutant: Mutant) => boolean;
}

/** Draws `count` places, each as likely as any other, and one mutant of each that `accepts` takes. */
export function drawPlaces(mutants: readonly Mutant[], { count, seed, accepts }: Draw): Mutant[] {
  const random = seededRandom(seed);
  const places = Map.groupBy(mutants, ({ file, start, end }) => `${file}:${start}-${end}`);
  const drawn: Mutant[] = [];
  for (const place of shuffled([...places.values()], random)) {
    if (drawn.length === count) break;
    const mutant = shuffled(place, random).find(accepts);
    if (mutant !== undefined) drawn.push(mutant);
  }
  return drawn;
}

/**
 * Draws mutants in turn from each area until there are `count` of them or none is left. Those that `accepts` refuses are
 * no mutants. The order is the one to run them in: a run that ends early has seen all areas.
 */
export function drawSample(mutants: readonly Mutant[], { count, seed, accepts }: Draw): Mutant[] {
  const random = seededRandom(seed);
  const areas = Map.groupBy(shuffled(mutants, random), ({ file }) => areaOf(file));
  const queues = [...areas].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, queue]) => queue);
  const drawn: Mutant[] = [];
  while (drawn.length < count && queues.some((queue) => queue.length > 0)) {
    for (const queue of queues) {
      if (drawn.length === count) break;
      let mutant = queue.pop();
      while (mutant !== undefined && !accepts(mutant)) mutant = queue.pop();
      if (mutant !== undefined) drawn.push(mutant);
    }
  }
  return drawn;
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const copy = [...items];
  for (let last = copy.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    const [a, b] = [copy[last], copy[other]];
    if (a !== undefined && b !== undefined) [copy[last], copy[other]] = [b, a];
  }
  return copy;
}
