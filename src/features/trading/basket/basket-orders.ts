import { unpublishedLimits } from '../../../shared/contract-limits.ts';
import { type FieldErrorCode, Problem } from '../../../shared/problem.ts';
import { requestedMints } from '../../../shared/requested-mints.ts';
import { requireWallet } from '../read-quote.ts';
import type { requestModes } from '../requested-swap.ts';
import { type SwapTerms, swapTerms } from '../swap-terms.ts';

/** The query of a basket: lists of one value for all mints, or of one for each. */
export interface BasketQuery {
  mints: string;
  side: string;
  amountRaw?: string;
  amountBps?: string;
  wallet?: string;
  mode?: (typeof requestModes)[number];
  platformFeeBps?: number;
}

/** The order of one mint: its terms, or the problem of its amount alone. */
export interface BasketOrder {
  mint: string;
  terms: SwapTerms | Problem;
}

const { quotedTokens } = unpublishedLimits;
const BPS_MAX = 10_000;

/** The order of each mint. Throws `validation_failed` for what is wrong with the whole query. */
export function basketOrders(query: BasketQuery): BasketOrder[] {
  const mints = requestedMints(query.mints, quotedTokens);
  const sides = valuesOf(query.side, 'side', mints.length);
  const amounts = query.amountRaw && valuesOf(query.amountRaw, 'amountRaw', mints.length);
  const shares = query.amountBps && valuesOf(query.amountBps, 'amountBps', mints.length);
  const { mode, platformFeeBps } = query;
  const orders = mints.map((mint, index) => {
    const requested = {
      side: sides[index] === 'buy' ? ('buy' as const) : ('sell' as const),
      ...(amounts && { amountRaw: amounts[index] ?? '' }),
      ...(shares && { amountBps: shareOf(shares[index] ?? '') }),
      ...(mode !== undefined && { mode }),
      ...(platformFeeBps !== undefined && { platformFeeBps }),
    };
    return { mint, terms: ownProblemOr(() => swapTerms(requested, 'query')) };
  });
  for (const { terms } of orders) if (!(terms instanceof Problem)) requireWallet(terms, query.wallet);
  return orders;
}

/** The value, or the problem of one token that leaves the others alone. */
export function ownProblemOr<Value>(work: () => Value): Value | Problem {
  try {
    return work();
  } catch (error) {
    if (error instanceof Problem && OWN_PROBLEMS.has(error.code)) return error;
    throw error;
  }
}

const OWN_PROBLEMS: ReadonlySet<string> = new Set([
  'token_not_found',
  'token_not_tradable',
  'swap_amount_out_of_range',
]);

function valuesOf(text: string, field: string, count: number): string[] {
  const values = text.split(',');
  if (values.length === count) return values;
  const [value] = values;
  if (value !== undefined && values.length === 1) return Array.from({ length: count }, () => value);
  throw refused(field, 'invalid_value', `must have one value, or one for each of the ${count} mints`);
}

function shareOf(text: string): number {
  const bps = Number(text);
  if (bps >= 1 && bps <= BPS_MAX) return bps;
  throw refused('amountBps', 'out_of_range', `must be from 1 to ${BPS_MAX}`);
}

function refused(field: string, code: FieldErrorCode, message: string): Problem {
  return new Problem('validation_failed', { errors: [{ path: `/query/${field}`, code, message }] });
}
