/** A mutant that no test can kill, or none should, with the reason. */
export interface EquivalentMutant {
  readonly file: string;
  /** The changed lines before and after, in one line each, as a run prints them. */
  readonly original: string;
  readonly mutated: string;
  readonly reason: string;
}

export const equivalentMutants: readonly EquivalentMutant[] = [];
