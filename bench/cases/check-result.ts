import type { CaseResult } from './case.ts';

/** Throws unless every variant has figures in every round, and each figure is a number. */
export function checkResult({ figures }: CaseResult): void {
  if (figures.length === 0) throw new Error('nothing was measured');
  for (const { name: variant, rounds } of figures) {
    const isEmpty = rounds.length === 0 || rounds.some((round) => Object.keys(round).length === 0);
    if (isEmpty) throw new Error(`${variant} measured nothing`);
    const invalid = rounds
      .flatMap((round) => Object.entries(round))
      .filter(([, value]) => !Number.isFinite(value));
    if (invalid.length > 0) throw new Error(`${variant} measured nothing: ${JSON.stringify(invalid)}`);
  }
}
