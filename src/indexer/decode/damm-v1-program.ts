import { instructionNames } from './discriminators.ts';

/** Accounts of `swap`, by position (reference/solana#damm-v1-swap). */
export const dammV1SwapAccounts = {
  pool: 0,
  userSource: 1,
  userDestination: 2,
  aVault: 3,
  bVault: 4,
  aTokenVault: 5,
  bTokenVault: 6,
  user: 12,
} as const;

/** Account 0 of all instructions that open a pool. */
export const DAMM_V1_OPENED_POOL = 0;

const opening = [
  'initialize_permissioned_pool',
  'initialize_permissionless_pool',
  'initialize_permissionless_pool_with_fee_tier',
  'initialize_permissionless_constant_product_pool_with_config',
  'initialize_permissionless_constant_product_pool_with_config2',
  'initialize_customizable_permissionless_constant_product_pool',
] as const;

/** Instructions that trade nothing. Every other name is reported as unknown. */
const irrelevant = [
  'enable_or_disable_pool',
  'remove_liquidity_single_side',
  'add_imbalance_liquidity',
  'remove_balance_liquidity',
  'add_balance_liquidity',
  'set_pool_fees',
  'override_curve_param',
  'get_pool_info',
  'bootstrap_liquidity',
  'create_mint_metadata',
  'create_lock_escrow',
  'lock',
  'claim_fee',
  'create_config',
  'close_config',
  'update_activation_point',
  'withdraw_protocol_fees',
  'set_whitelisted_vault',
  'partner_claim_fee',
  'move_locked_lp',
] as const;

/** Names of the known instructions of DAMM v1 (program 0.5.3), by the hex of their discriminators. */
export const dammV1Instructions = instructionNames(['swap', ...opening, ...irrelevant]);

const openingNames: ReadonlySet<string> = new Set(opening);

export function opensPool(instructionName: string): boolean {
  return openingNames.has(instructionName);
}
