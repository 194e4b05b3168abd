import { type Static, Type } from '@sinclair/typebox';
import { U64_MAX } from '../../../chain/pools/fixed-point.ts';
import { AddressField, TimestampField } from '../../../shared/field-schemas.ts';
import { parseInstant } from '../../../shared/instant.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { NewRound } from './create-round.ts';

const RawAmountField = Type.String({ pattern: '^(?:0|[1-9][0-9]{0,19})$', examples: ['1000000'] });

/** The platform's plan of a round. */
export const RoundPlan = Type.Object(
  {
    mintAddress: AddressField,
    opensAt: TimestampField,
    locksAt: TimestampField,
    settlesAt: TimestampField,
    minimumBalanceRaw: RawAmountField,
    prizePoolLamports: RawAmountField,
    requiresDelegatedIntent: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

/** The round of a plan. Throws Refusal for times out of order, and for amounts beyond 64 bits. */
export function plannedRound({
  opensAt,
  locksAt,
  settlesAt,
  minimumBalanceRaw,
  prizePoolLamports,
  requiresDelegatedIntent = false,
  mintAddress,
}: Static<typeof RoundPlan>): NewRound {
  const times = {
    opensAt: parseInstant(opensAt),
    locksAt: parseInstant(locksAt),
    settlesAt: parseInstant(settlesAt),
  };
  if (!(times.opensAt < times.locksAt && times.locksAt <= times.settlesAt))
    throw new Refusal(
      'invalid',
      'a round opens before it locks, and locks no later than it settles',
      '/locksAt',
    );
  return {
    mintAddress,
    ...times,
    minimumBalanceRaw: rawAmount(minimumBalanceRaw, 'minimumBalanceRaw'),
    prizePoolLamports: rawAmount(prizePoolLamports, 'prizePoolLamports'),
    requiresDelegatedIntent,
  };
}

function rawAmount(text: string, field: string): bigint {
  const amount = BigInt(text);
  if (amount > U64_MAX)
    throw new Refusal('invalid', `${field} must be a whole number of at most 64 bits`, `/${field}`);
  return amount;
}
