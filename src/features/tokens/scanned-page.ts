import type { KeysetPage } from '../../db/keyset-page.ts';

/**
 * Rows of an index that a page reads at most to find those that match a filter which the index does not serve
 * (contract/tokens#scanned-pages).
 */
export const SCANNED_ROWS = 1_000;

/** A row that was read in the order of the list. */
export interface ScannedRow {
  /** Its place among those read, from 1. */
  at: number;
  /** False for the last row read, whose position alone counts. */
  matches: boolean;
}

/**
 * A page of the matching rows. It has fewer items than its limit when they end, or when `scanned` rows were read:
 * the next page then begins after the last row read.
 */
export function scannedPage<Row extends ScannedRow, Item, Position extends readonly string[]>(
  rows: readonly Row[],
  { limit, scanned }: { limit: number; scanned: number },
  toItem: (row: Row) => Item,
  positionOf: (row: Row) => Position,
): KeysetPage<Item, Position> {
  const matching = rows.filter(({ matches }) => matches);
  const shown = matching.slice(0, limit);
  const last = matching.length > limit ? shown.at(-1) : rows.find(({ at }) => at === scanned);
  return { items: shown.map(toItem), next: last === undefined ? null : positionOf(last) };
}
