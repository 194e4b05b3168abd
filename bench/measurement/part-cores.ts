import { busyCores } from './busy-cores.ts';

/** CPU time that each part of a deployment has used so far, in milliseconds. */
export type PartTimes<Part extends string> = Readonly<Record<Part, () => number>>;

/**
 * Starts to measure; the returned function gives the mean number of busy cores of each part since then, and of the
 * machine.
 */
export function partCores<Part extends string>(parts: PartTimes<Part>): () => Record<string, number> {
  const names = Object.keys(parts) as Part[];
  const used = () => names.map((part) => parts[part]());
  const before = used();
  const startedAtMs = performance.now();
  const ofMachine = busyCores();
  return () => {
    const after = used();
    const tookMs = performance.now() - startedAtMs;
    const cores = names.map((part, at) => [`${part}Cores`, ((after[at] ?? 0) - (before[at] ?? 0)) / tookMs]);
    return { ...Object.fromEntries(cores), busyCores: ofMachine() };
  };
}
