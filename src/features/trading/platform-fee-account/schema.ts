import { Type } from '@sinclair/typebox';
import { unpublishedLimits } from '../../../shared/contract-limits.ts';
import { AddressField, described, Named, Nullable, TimestampField } from '../../../shared/field-schemas.ts';

const { platformFeeBps } = unpublishedLimits;

/** contract/trading#fee-account */
export const PlatformFeeAccountSchema = Named('PlatformFeeAccount', {
  address: described(
    'Gets the platform fees of the account’s swaps; null when no address is registered.',
    Nullable(AddressField),
  ),
  updatedAt: described(
    'When an operator registered this address; null without one.',
    Nullable(TimestampField),
  ),
  maxPlatformFeeBps: Type.Integer({
    minimum: platformFeeBps,
    maximum: platformFeeBps,
    description: 'The most that `platformFeeBps` of a swap may be.',
    examples: [platformFeeBps],
  }),
});
