import { isAddress } from '../../../shared/address.ts';
import { unpublishedLimits } from '../../../shared/contract-limits.ts';
import { type FieldErrorCode, Problem } from '../../../shared/problem.ts';

const { statsTokens } = unpublishedLimits;

/** Tokens that count as one request under the rate policy. */
const TOKENS_PER_REQUEST = 10;

/** What a request counts under its rate policy: one for every ten tokens that it names. */
export function costOfMints(query: URLSearchParams): number {
  const mints = query.get('mints')?.split(',').length ?? 1;
  return Math.ceil(Math.min(mints, statsTokens) / TOKENS_PER_REQUEST);
}

/** The mints of a request, in its order. Throws `validation_failed`. */
export function requestedMints(text: string): string[] {
  const mints = text.split(',');
  if (mints.length > statsTokens) throw refused('too_long', `must name at most ${statsTokens} mints`);
  if (!mints.every(isAddress))
    throw refused('invalid_format', 'must be addresses, base58 of 32 bytes, separated by commas');
  if (new Set(mints).size < mints.length) throw refused('invalid_value', 'must not name the same mint twice');
  return mints;
}

function refused(code: FieldErrorCode, message: string): Problem {
  return new Problem('validation_failed', { errors: [{ path: '/query/mints', code, message }] });
}
