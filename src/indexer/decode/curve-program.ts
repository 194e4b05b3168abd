import { eventNames, instructionNames } from './discriminators.ts';

/** Accounts of `swap`, `swap2` and `swap2_with_transfer_hook`, by position. */
export const curveSwapAccounts = { pool: 2, baseMint: 7, quoteMint: 8, payer: 9 } as const;

export const curveSwapInstructions = instructionNames(['swap', 'swap2', 'swap2_with_transfer_hook']);

/** Events up to program 0.2.1 without a fact for the indexer. Every other name is reported as unknown. */
const irrelevant = [
  'EvtClaimPoolCreationFee',
  'EvtClaimProtocolLiquidityMigrationFee',
  'EvtCloseClaimFeeOperator',
  'EvtCloseTokenBadge',
  'EvtCreateClaimFeeOperator',
  'EvtCreateConfig',
  'EvtCreateConfigV2',
  'EvtCreateConfigV2WithTransferHook',
  'EvtCreateDammV2MigrationMetadata',
  'EvtCreateMeteoraMigrationMetadata',
  'EvtCreateTokenBadge',
  'EvtPartnerClaimPoolCreationFee',
  'EvtPartnerMetadata',
  'EvtPartnerWithdrawMigrationFee',
  'EvtProtocolWithdrawSurplus',
  'EvtUpdatePoolCreator',
  'EvtVirtualPoolMetadata',
] as const;

const relevant = [
  'EvtSwap',
  'EvtSwap2',
  'EvtSwap2WithTransferHook',
  'EvtCurveComplete',
  'EvtCurveCompleteWithTransferHook',
  'EvtInitializePool',
  'EvtInitializePoolWithTransferHook',
  'EvtClaimTradingFee',
  'EvtClaimCreatorTradingFee',
  'EvtClaimProtocolFee',
  'EvtClaimProtocolFee2',
  'EvtWithdrawMigrationFee',
  'EvtPartnerWithdrawSurplus',
  'EvtCreatorWithdrawSurplus',
  'EvtWithdrawLeftover',
] as const;

/** Names of the known events of the bonding-curve program, by the hex of their discriminators. */
export const curveEvents = eventNames([...relevant, ...irrelevant]);
