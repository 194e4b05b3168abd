import { type ArrayOptions, type TSchema, Type } from '@sinclair/typebox';
import { publishedLimits } from '../shared/contract-limits.ts';
import { described, Nullable } from '../shared/field-schemas.ts';

/** `{ data, page }` of paginated lists (contract/pagination#pages). */
export function PageOf<Item extends TSchema>(item: Item, options: ArrayOptions = {}) {
  return Type.Object({
    data: described('The entries of this page.', Type.Array(item, options)),
    page: described(
      'Where this page stands in the list.',
      Type.Object({
        hasMore: described('Whether another page follows.', Type.Boolean()),
        nextCursor: described('`cursor` of the next page; null on the last one.', Nullable(Type.String())),
      }),
    ),
  });
}

/**
 * Query parameters of paginated lists (contract/pagination#pages). A cursor's form is judged with its signature: 400,
 * not 422.
 */
export const paginationFields = {
  cursor: Type.Optional(
    Type.String({ description: '`nextCursor` of the previous page; absent for the first one.' }),
  ),
  limit: Type.Integer({
    minimum: 1,
    maximum: publishedLimits.pageLimitMax,
    default: publishedLimits.pageLimitDefault,
  }),
};
