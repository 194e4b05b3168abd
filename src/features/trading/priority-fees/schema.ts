import { Type } from '@sinclair/typebox';
import { unpublishedLimits } from '../../../shared/contract-limits.ts';
import {
  AddressField,
  CountField,
  described,
  IntStringField,
  Named,
  Nullable,
} from '../../../shared/field-schemas.ts';

const { pricedAccounts } = unpublishedLimits;
const ADDRESS_LENGTH_MAX = 44;

/** contract/trading#priority-fees */
export const PriorityFeesQuery = Type.Object({
  mint: Type.Optional(
    described(
      'A token. The prices are of the accounts of its pool that every swap writes. Not together with `accounts`.',
      AddressField,
    ),
  ),
  accounts: Type.Optional(
    Type.String({
      maxLength: pricedAccounts * (ADDRESS_LENGTH_MAX + 1),
      description: `1 to ${pricedAccounts} accounts that a transaction writes, separated by commas. Without \`mint\`.`,
    }),
  ),
});

const price = (meaning: string) => described(meaning, IntStringField);

/** contract/trading#priority-fees */
export const PriorityFeesSchema = Named('PriorityFees', {
  mintAddress: described('The token of the request; null with `accounts`.', Nullable(AddressField)),
  accounts: described('The written accounts to which the prices apply.', Type.Array(AddressField)),
  levels: described(
    'Micro-lamports per compute unit: percentiles of the lowest price at which a transaction that wrote these accounts landed, block by block.',
    Type.Object({
      min: price('The lowest of all blocks.'),
      low: price('25th percentile.'),
      medium: price('50th percentile.'),
      high: price('75th percentile, which `auto` pays.'),
      veryHigh: price('95th percentile.'),
    }),
  ),
  maxComputeUnitPrice: price('Maximum that a swap or launch of this deployment pays, whatever its level.'),
  sampleSize: described('Blocks in the sample, at most 150.', CountField),
  slot: described('The newest of these blocks; null if there is none.', Nullable(IntStringField)),
});
