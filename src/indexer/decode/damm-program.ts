import { eventNames, instructionNames } from './discriminators.ts';

/** Accounts of `swap` and `swap2` of DAMM v2, by position (reference/solana#damm-swap). */
export const dammSwapAccounts = { pool: 1, mintA: 6, mintB: 7, payer: 8 } as const;

export const dammSwapInstructions = instructionNames(['swap', 'swap2']);

/** Accounts of the instructions that open a pool. `config` is absent where the pool has its own settings. */
export const dammOpeningAccounts = {
  initialize_pool: { config: 4, pool: 6, position: 7, mintA: 8, mintB: 9 },
  initialize_pool_with_dynamic_config: { config: 5, pool: 7, position: 8, mintA: 9, mintB: 10 },
  initialize_customizable_pool: { config: null, pool: 5, position: 6, mintA: 7, mintB: 8 },
} as const;

export const dammOpeningInstructions = instructionNames([
  'initialize_pool',
  'initialize_pool_with_dynamic_config',
  'initialize_customizable_pool',
]);

/** Accounts of the instructions that add or remove liquidity. */
export const dammLiquidityAccounts = {
  add_liquidity: { pool: 0, mintA: 6, mintB: 7 },
  remove_liquidity: { pool: 1, mintA: 7, mintB: 8 },
  remove_all_liquidity: { pool: 1, mintA: 7, mintB: 8 },
} as const;

export const dammLiquidityInstructions = instructionNames([
  'add_liquidity',
  'remove_liquidity',
  'remove_all_liquidity',
]);

/** The account of the position's NFT, in every instruction that creates a position. */
export const POSITION_NFT_ACCOUNT = 2;

/** Later generations replaced these events. They do not report reserves, so they are known but not used. */
const older = ['EvtAddLiquidity', 'EvtRemoveLiquidity', 'EvtClaimPartnerFee'] as const;

/** Events up to program 0.2.5 without a fact for the indexer. Every other name is reported as unknown. */
const irrelevant = [
  'EvtClaimReward',
  'EvtCloseClaimFeeOperator',
  'EvtCloseConfig',
  'EvtClosePosition',
  'EvtCreateClaimFeeOperator',
  'EvtCreateConfig',
  'EvtCreateDynamicConfig',
  'EvtCreateTokenBadge',
  'EvtFundReward',
  'EvtInitializeReward',
  'EvtLockPosition',
  'EvtSetPoolStatus',
  'EvtSplitPosition',
  'EvtSplitPosition2',
  'EvtSplitPosition3',
  'EvtUpdateDelegatePermission',
  'EvtUpdatePoolFees',
  'EvtUpdateRewardDuration',
  'EvtUpdateRewardFunder',
  'EvtWithdrawDeadLiquidityReward',
  'EvtWithdrawIneligibleReward',
] as const;

const relevant = [
  'EvtSwap',
  'EvtSwap2',
  'EvtInitializePool',
  'EvtCreatePosition',
  'EvtLiquidityChange',
  'EvtPermanentLockPosition',
  'EvtClaimPositionFee',
  'EvtClaimProtocolFee',
  'EvtClaimProtocolFee2',
] as const;

/** Names of the known events of DAMM v2, by the hex of their discriminators. */
export const dammEvents = eventNames([...relevant, ...older, ...irrelevant]);
