import { createHash } from 'node:crypto';

/** The discriminator of an Anchor instruction: the first bytes of a hash of its name. */
function discriminatorOf(instruction: string): Buffer {
  return createHash('sha256').update(`global:${instruction}`).digest().subarray(0, 8);
}

/** First bytes of the instructions that pay fees out (public IDLs of both programs). */
export const claimDiscriminators = {
  creatorTradingFee: discriminatorOf('claim_creator_trading_fee'),
  partnerTradingFee: discriminatorOf('claim_trading_fee'),
  creatorSurplus: discriminatorOf('creator_withdraw_surplus'),
  partnerSurplus: discriminatorOf('partner_withdraw_surplus'),
  migrationFee: discriminatorOf('withdraw_migration_fee'),
  leftover: discriminatorOf('withdraw_leftover'),
  positionFee: discriminatorOf('claim_position_fee'),
} as const;
