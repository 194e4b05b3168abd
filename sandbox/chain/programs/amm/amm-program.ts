import { DAMM_V2 } from '../../../../src/chain/accounts/programs.ts';
import { anchorProgram } from '../anchor/anchor-program.ts';
import { fixedFeeBps } from '../curve/config-rules.ts';
import { curvePoolAuthority } from '../curve/curve-accounts.ts';
import type { ProgramModel } from '../model.ts';
import { SQRT_PRICE_MAX, SQRT_PRICE_MIN } from '../pool-numbers.ts';
import { ammError } from './amm-errors.ts';
import { claimPositionFee, claimProtocolFee } from './claims.ts';
import {
  initializeCustomizablePool,
  initializePool,
  initializePoolWithDynamicConfig,
} from './initialize-pool.ts';
import {
  addLiquidity,
  createPosition,
  permanentLockPosition,
  removeAllLiquidity,
  removeLiquidity,
} from './liquidity.ts';
import { migrationConfigs } from './migration-configs.ts';
import { swap, swap2 } from './swap.ts';

const program = anchorProgram(
  DAMM_V2,
  {
    initialize_customizable_pool: initializeCustomizablePool,
    initialize_pool_with_dynamic_config: initializePoolWithDynamicConfig,
    initialize_pool: initializePool,
    create_position: createPosition,
    add_liquidity: addLiquidity,
    remove_liquidity: removeLiquidity,
    remove_all_liquidity: removeAllLiquidity,
    permanent_lock_position: permanentLockPosition,
    swap,
    swap2,
    claim_position_fee: claimPositionFee,
    claim_protocol_fee: claimProtocolFee,
  },
  [
    'create_operator_account',
    'close_operator_account',
    'create_config',
    'create_dynamic_config',
    'close_config',
    'create_token_badge',
    'close_token_badge',
    'set_pool_status',
    'update_pool_fees',
    'fix_pool_fee_params',
    'fix_config_fee_params',
    'fix_pool_layout_version',
    'zap_protocol_fee',
    'initialize_reward',
    'fund_reward',
    'claim_reward',
    'withdraw_ineligible_reward',
    'update_reward_funder',
    'update_reward_duration',
    'close_position',
    'lock_position',
    'lock_inner_position',
    'refresh_vesting',
    'split_position',
    'split_position2',
  ],
  () => ammError('MathOverflow'),
);

export const ammProgram: ProgramModel = {
  ...program,
  accounts: migrationConfigs({
    poolCreatorAuthority: curvePoolAuthority.address,
    fixedFeeBps,
    sqrtMinPrice: SQRT_PRICE_MIN,
    sqrtMaxPrice: SQRT_PRICE_MAX,
  }),
};
