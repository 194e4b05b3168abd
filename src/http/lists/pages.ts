import { type ArrayOptions, type TSchema, Type } from '@sinclair/typebox';
import type { KeysetPage } from '../../db/keyset-page.ts';
import { publishedLimits } from '../../shared/contract-limits.ts';
import { described, Nullable } from '../../shared/field-schemas.ts';
import type { Cursors } from './cursor.ts';

/** The page of a list that a request asks for (contract/pagination#pages). */
export interface RequestedPage<Position extends readonly string[]> {
  limit: number;
  /** The last row before the page; undefined for the first page. */
  after: Position | undefined;
  /** Builds the response, with the signed cursor of the next page. */
  toBody<Item>(page: KeysetPage<Item, Position>): PageBody<Item>;
}

/** `{ data, page }` (contract/pagination#pages). */
export interface PageBody<Item> {
  data: Item[];
  page: { hasMore: boolean; nextCursor: string | null };
}

/**
 * Reads the page parameters of a request. Throws `cursor_invalid`.
 *
 * @param binding operation id, path parameters and filters: a cursor is valid only for its own list
 * @param keyCount number of sort keys in a position
 */
export function requestedPage<Position extends readonly string[]>(
  cursors: Cursors,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
  binding: readonly unknown[],
  keyCount: Position['length'],
): RequestedPage<Position> {
  // The signature proves that the cursor came from this list, so its position has the right form.
  const after =
    cursor === undefined
      ? undefined
      : (cursors.verify(cursor, binding, keyCount) as readonly string[] as Position);
  return {
    limit,
    after,
    toBody({ items, next }) {
      const nextCursor = next === null ? null : cursors.sign(next, binding);
      return { data: items, page: { hasMore: nextCursor !== null, nextCursor } };
    },
  };
}

/** `{ data, page }` of paginated lists (contract/pagination#pages). */
export function PageOf<Item extends TSchema>(item: Item, options: ArrayOptions = {}) {
  return Type.Object({
    data: described('The entries of this page.', Type.Array(item, options)),
    page: described(
      'Position of this page in the list.',
      Type.Object({
        hasMore: described('Whether another page follows.', Type.Boolean()),
        nextCursor: described('`cursor` of the next page; null on the last one.', Nullable(Type.String())),
      }),
    ),
  });
}

/**
 * Query parameters of paginated lists (contract/pagination#pages). A malformed cursor fails with its
 * signature: 400, not 422.
 */
export const paginationFields = {
  cursor: Type.Optional(
    Type.String({ description: '`nextCursor` of the previous page; absent for the first one.' }),
  ),
  limit: Type.Integer({
    minimum: 1,
    maximum: publishedLimits.pageLimitMax,
    default: publishedLimits.pageLimitDefault,
    description: 'Items of one page.',
  }),
};
