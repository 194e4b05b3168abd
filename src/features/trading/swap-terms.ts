import { BASIS_POINTS } from '../../chain/pools/fixed-point.ts';
import { type FieldError, Problem } from '../../shared/problem.ts';
import { outOfRange } from './refusals.ts';
import { instructionAmount, type requestModes } from './requested-swap.ts';

/** The amount of an order: in raw units, or as a share of what the wallet holds. */
export type OrderAmount = { raw: bigint } | { bps: number };

/** What a swap is asked to do, before a balance and a pool are known. */
export interface SwapTerms {
  side: 'buy' | 'sell';
  mode: 'exact_in' | 'exact_out';
  amount: OrderAmount;
  /** 0 without a fee. */
  platformFeeBps: number;
}

/** A share of a balance that was sold. */
export interface SwapShare {
  bps: number;
  balanceRaw: bigint;
}

/** Fields of the requests for quotes, swaps and instructions. */
export interface RequestedTerms {
  side: 'buy' | 'sell';
  amountRaw?: string;
  amountBps?: number;
  mode?: (typeof requestModes)[number];
  platformFeeBps?: number;
}

/**
 * Throws `validation_failed` unless exactly one of `amountRaw` and `amountBps` is given, and `amountBps` for
 * an exact sell; throws `swap_amount_out_of_range` for an amount that fits no instruction.
 */
export function swapTerms(requested: RequestedTerms, part: 'query' | 'body'): SwapTerms {
  const { side, amountRaw, amountBps, mode = 'exact-in', platformFeeBps = 0 } = requested;
  const terms = { side, mode: mode === 'exact-in' ? 'exact_in' : 'exact_out', platformFeeBps } as const;
  if (amountBps === undefined) {
    if (amountRaw === undefined)
      throw refused(part, 'amountRaw', 'required', 'is required, unless amountBps is given');
    return { ...terms, amount: { raw: instructionAmount(amountRaw) } };
  }
  if (amountRaw !== undefined)
    throw refused(part, 'amountBps', 'invalid_value', 'must not be given together with amountRaw');
  if (side === 'buy')
    throw refused(part, 'amountBps', 'invalid_value', 'is for sells: a buy needs amountRaw');
  if (mode === 'exact-out')
    throw refused(part, 'amountBps', 'invalid_value', 'is the input of a sell: the mode must be exact-in');
  return { ...terms, amount: { bps: amountBps } };
}

/** True when the amount depends on the balance of a wallet. */
export function isShare({ amount }: SwapTerms): boolean {
  return 'bps' in amount;
}

/** The raw amount of an order, rounded down. Throws `swap_amount_out_of_range` when a share is nothing. */
export function orderAmount(
  amount: OrderAmount,
  balanceRaw: bigint,
): { amountRaw: bigint; share: SwapShare | null } {
  if ('raw' in amount) return { amountRaw: amount.raw, share: null };
  const { bps } = amount;
  const facts = { balanceRaw: String(balanceRaw), amountBps: bps };
  if (balanceRaw === 0n) throw outOfRange('balance_empty', facts);
  const amountRaw = (balanceRaw * BigInt(bps)) / BASIS_POINTS;
  if (amountRaw === 0n) throw outOfRange('rounds_to_zero', facts);
  return { amountRaw, share: { bps, balanceRaw } };
}

function refused(part: 'query' | 'body', field: string, code: FieldError['code'], message: string): Problem {
  return new Problem('validation_failed', { errors: [{ path: `/${part}/${field}`, code, message }] });
}
