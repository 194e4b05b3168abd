import { anchorDiscriminator } from '../../../anchor-discriminator.ts';

/** First bytes of the instructions that pay fees out (public IDLs of both programs). */
export const claimDiscriminators = {
  creatorTradingFee: anchorDiscriminator('global', 'claim_creator_trading_fee'),
  partnerTradingFee: anchorDiscriminator('global', 'claim_trading_fee'),
  creatorSurplus: anchorDiscriminator('global', 'creator_withdraw_surplus'),
  partnerSurplus: anchorDiscriminator('global', 'partner_withdraw_surplus'),
  migrationFee: anchorDiscriminator('global', 'withdraw_migration_fee'),
  leftover: anchorDiscriminator('global', 'withdraw_leftover'),
  positionFee: anchorDiscriminator('global', 'claim_position_fee'),
} as const;
