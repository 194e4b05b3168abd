import { Type } from '@sinclair/typebox';
import { unpublishedLimits } from '../../../shared/contract-limits.ts';
import { AddressField, described, Named, Nullable, TimestampField } from '../../../shared/field-schemas.ts';

const { platformFeeBps } = unpublishedLimits;

/** contract/trading#fee-account */
export const PlatformFeeAccountSchema = Named('PlatformFeeAccount', {
  address: described(
    'Address that gets the platform fees of the account’s swaps; null if none is registered.',
    Nullable(AddressField),
  ),
  updatedAt: described(
    'When an operator registered this address; null if there is none.',
    Nullable(TimestampField),
  ),
  maxPlatformFeeBps: Type.Integer({
    minimum: platformFeeBps,
    maximum: platformFeeBps,
    description: 'Maximum `platformFeeBps` of a swap.',
    examples: [platformFeeBps],
  }),
});
