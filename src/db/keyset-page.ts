/** Part of a list that is read by position, not by count: what is added meanwhile shifts nothing (contract/pagination#pages). */
export interface KeysetPage<Item, Position extends readonly string[]> {
  /** In the order of the list. */
  items: Item[];
  /** Position of the last item, after which the next page begins; null on the last page. */
  next: Position | null;
}

/** Position in a list whose rows are numbered as they are added. */
export type OrdinalPosition = readonly [ordinal: string];

/** Before the first row of a list with the largest ordinal first: the first page runs the same statement as the others. */
export const BEFORE_LARGEST_ORDINAL: OrdinalPosition = ['9223372036854775807'];

/**
 * @param rows up to `limit + 1` rows: one more than the page holds, when the list goes on.
 * @param positionOf keys by which the list is ordered, as strings.
 */
export function keysetPage<Row, Item, Position extends readonly string[]>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => Item,
  positionOf: (row: Row) => Position,
): KeysetPage<Item, Position> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next = rows.length > limit && last !== undefined ? positionOf(last) : null;
  return { items: shown.map(toItem), next };
}
