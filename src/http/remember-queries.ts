import { BoundedMap } from '../shared/bounded-map.ts';

const REMEMBERED_MAX = 1_000;
/** A window of candles has up to 110 characters. Longer queries hold cursors, each of which is requested once or twice. */
const REMEMBERED_LENGTH_MAX = 128;

/**
 * What `compute` makes of the query of a request. The same few queries come again and again: the result of a short one
 * is remembered, and returned as the same object. An error is not.
 */
export function rememberQueries<Value extends number | object>(
  compute: (query: string) => Value,
): (request: Request) => Value {
  const remembered = new BoundedMap<string, Value>(REMEMBERED_MAX);
  return ({ url }) => {
    const queryStart = url.indexOf('?');
    const query = queryStart === -1 ? '' : url.slice(queryStart + 1);
    const known = remembered.get(query);
    if (known !== undefined) return known;
    const value = compute(query);
    if (query.length <= REMEMBERED_LENGTH_MAX) remembered.set(query, value);
    return value;
  };
}
