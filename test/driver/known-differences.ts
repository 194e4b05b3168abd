/** A test of the suite that passes with one of the two sources alone. */
export interface Difference {
  runtime: 'node' | 'bun';
  test: string;
  /** `ok`, or what was wrong. */
  outcome: string;
  /** True when it fails with the patch. */
  isWorse: boolean;
}

/** Tests that the patch fails on purpose, with the reason. */
export const knownDifferences: Readonly<Record<string, string>> = {
  'Multiple hosts':
    'after a lost connection the host that served last comes first, not the next one: a pool goes where one of its connections has been',
};
