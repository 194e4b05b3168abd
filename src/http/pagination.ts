import { type TSchema, Type } from '@sinclair/typebox';
import { publishedLimits } from '../shared/contract-limits.ts';
import { Nullable } from '../shared/field-schemas.ts';

/** `{ data, page }` of paginated lists (contract/pagination#pages). */
export function PageOf<Item extends TSchema>(item: Item) {
  return Type.Object({
    data: Type.Array(item),
    page: Type.Object({ hasMore: Type.Boolean(), nextCursor: Nullable(Type.String()) }),
  });
}

/**
 * Query parameters of paginated lists (contract/pagination#pages). A cursor's form is judged with its signature: 400,
 * not 422.
 */
export const paginationFields = {
  cursor: Type.Optional(Type.String({ description: 'nextCursor of the previous page' })),
  limit: Type.Integer({
    minimum: 1,
    maximum: publishedLimits.pageLimitMax,
    default: publishedLimits.pageLimitDefault,
  }),
};
