import { U64_MAX } from '../../chain/pools/fixed-point.ts';
import type { orderTriggerPrices, orderTriggerSides } from '../../db/values/orders.ts';
import type { SendingOrder } from '../../intents/sending.ts';
import { unpublishedLimits } from '../../shared/contract-limits.ts';
import { type DecimalString, PRICE_FRACTION_DIGITS } from '../../shared/decimal.ts';
import { type FieldError, Problem } from '../../shared/problem.ts';
import { lessSlippage } from './trigger-limit.ts';

export interface OrderRequest {
  accountId: string;
  slotId: string;
  mint: string;
  side: 'buy' | 'sell';
  amountRaw: bigint;
  trigger: {
    price: DecimalString;
    when: (typeof orderTriggerSides)[number];
    of: (typeof orderTriggerPrices)[number];
  };
  /** Exactly one of the two is given. */
  limitRaw: bigint | null;
  slippageBps: number | null;
  oco: string | null;
  /** Null for the longest time. */
  expiresAt: Date | null;
  sending: SendingOrder;
}

const WHOLE_DIGITS = 12;
const MINUTE_MS = 60_000;
const EXPIRES_MIN_MS = MINUTE_MS;
const EXPIRES_MAX_MS = unpublishedLimits.orderDays * 24 * 60 * MINUTE_MS;

/** When the order ends, at the latest after the longest time. Throws for a time that is too near or too far. */
export function endOf({ expiresAt }: OrderRequest, now: Date): Date {
  const latest = new Date(now.getTime() + EXPIRES_MAX_MS);
  if (expiresAt === null) return latest;
  if (expiresAt.getTime() < now.getTime() + EXPIRES_MIN_MS)
    throw refused('expiresAt', 'out_of_range', 'must be at least a minute ahead');
  if (expiresAt > latest)
    throw refused('expiresAt', 'out_of_range', `must be at most ${unpublishedLimits.orderDays} days ahead`);
  return expiresAt;
}

/** The least output that the request accepts. Throws for a limit that no swap can have. */
export function limitOf({ limitRaw, slippageBps }: OrderRequest, worthRaw: bigint): bigint {
  if (limitRaw !== null && slippageBps !== null)
    throw refused('limitRaw', 'invalid_value', 'must not be given together with slippageBps');
  if (limitRaw !== null) {
    requireAmount('limitRaw', limitRaw);
    return limitRaw;
  }
  if (slippageBps === null) throw refused('slippageBps', 'required', 'is required, unless limitRaw is given');
  const limit = lessSlippage(worthRaw, slippageBps);
  if (limit === 0n)
    throw refused('amountRaw', 'out_of_range', 'is worth nothing at the price of the trigger');
  if (limit > U64_MAX)
    throw refused(
      'amountRaw',
      'out_of_range',
      'is worth more at the price of the trigger than a swap can give',
    );
  return limit;
}

/** The bounds of every price that is published: more digits would name no price that a trade can have. */
export function requirePrice(price: DecimalString): void {
  const [whole = '', fraction = ''] = price.split('.');
  if (price === '0') throw refused('trigger/price', 'out_of_range', 'must not be 0');
  if (whole.length > WHOLE_DIGITS || fraction.length > PRICE_FRACTION_DIGITS)
    throw refused(
      'trigger/price',
      'out_of_range',
      `must have at most ${WHOLE_DIGITS} digits before the point and ${PRICE_FRACTION_DIGITS} after it`,
    );
}

export function requireAmount(field: 'amountRaw' | 'limitRaw', raw: bigint): void {
  if (raw === 0n) throw refused(field, 'out_of_range', 'must be at least 1');
  if (raw > U64_MAX) throw refused(field, 'out_of_range', `must be at most ${U64_MAX}`);
}

function refused(field: string, code: FieldError['code'], message: string): Problem {
  return new Problem('validation_failed', { errors: [{ path: `/body/${field}`, code, message }] });
}
