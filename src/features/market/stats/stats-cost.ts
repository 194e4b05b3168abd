import { unpublishedLimits } from '../../../shared/contract-limits.ts';

const { statsTokens } = unpublishedLimits;

/** Tokens that count as one request under the rate policy. */
const TOKENS_PER_REQUEST = 10;

/** What a request counts under its rate policy: one for every ten tokens that it names. */
export function costOfMints(query: URLSearchParams): number {
  const mints = query.get('mints')?.split(',').length ?? 1;
  return Math.ceil(Math.min(mints, statsTokens) / TOKENS_PER_REQUEST);
}
