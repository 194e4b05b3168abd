import { rememberTexts } from '../shared/remember-texts.ts';
import { queryOf } from './request-address.ts';

/** A window of candles has up to 110 characters. Longer queries hold cursors, each of which is requested once or twice. */
const REMEMBERED = { entriesMax: 1_000, lengthMax: 128 };

/**
 * What `compute` makes of the query of a request. The same few queries come again and again: the result of a short one
 * is remembered, and returned as the same object. An error is not.
 */
export function rememberQueries<Value extends number | string | object>(
  compute: (query: string) => Value,
): (request: Request) => Value {
  const read = rememberTexts(compute, REMEMBERED);
  return (request) => read(queryOf(request));
}
