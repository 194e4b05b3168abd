/**
 * Part of a list that is read by position, not by count: rows added between two pages shift nothing
 * (contract/pagination#pages).
 */
export interface KeysetPage<Item, Position extends readonly string[]> {
  items: Item[];
  /** Position of the last item, after which the next page begins; null on the last page. */
  next: Position | null;
}

/** Position in a list whose rows are numbered in their order of insertion. */
export type OrdinalPosition = readonly [ordinal: string];

/**
 * Sorts before the first row of a list with the largest ordinal first: the first page runs the same statement
 * as the others.
 */
export const BEFORE_LARGEST_ORDINAL: OrdinalPosition = ['9223372036854775807'];

/**
 * @param rows up to `limit + 1` rows: one more than the page holds when the list continues
 * @param positionOf returns the sort keys of a row as strings
 */
export function keysetPage<Row, Item, Position extends readonly string[]>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => Item,
  positionOf: (row: Row) => Position,
): KeysetPage<Item, Position> {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const next = rows.length > limit && last !== undefined ? positionOf(last) : null;
  return { items: page.map(toItem), next };
}
