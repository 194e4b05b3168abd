import { type CaseOptions, type Sizes, sized } from '../cases/case.ts';

/** The sizes of a case, up to `rows` where that is given: the full sizes below it, and it. Ascending. */
export function sizesUpTo(options: CaseOptions, sizes: Sizes<readonly number[]>): readonly number[] {
  const { rows } = options;
  return rows === undefined ? sized(options, sizes) : [...sizes.full.filter((size) => size < rows), rows];
}
