import { isAddress } from './address.ts';
import { type FieldErrorCode, Problem } from './problem.ts';

/** Longest text of a list of mints, beyond the longest list: one too many is refused by its number. */
export const MINTS_LENGTH_MAX = 8_192;

/** Tokens that a query names, for the rate limit: at least one, and at most `max`, because no more are ever read. */
export function countMints(query: URLSearchParams, max: number): number {
  return Math.min(query.get('mints')?.split(',').length ?? 1, max);
}

/** The mints that a query names, in its order. Throws `validation_failed` at `/query/mints`. */
export function requestedMints(text: string, max: number): string[] {
  const mints = text.split(',');
  if (mints.length > max) throw refused('too_long', `must name at most ${max} mints`);
  if (!mints.every(isAddress))
    throw refused('invalid_format', 'must be addresses, base58 of 32 bytes, separated by commas');
  if (new Set(mints).size < mints.length) throw refused('invalid_value', 'must not name the same mint twice');
  return mints;
}

function refused(code: FieldErrorCode, message: string): Problem {
  return new Problem('validation_failed', { errors: [{ path: '/query/mints', code, message }] });
}
