import { BONDING_CURVE, SYSTEM_PROGRAM } from '../../../../src/chain/accounts/programs.ts';
import { anchorProgram } from '../anchor/anchor-program.ts';
import type { ProgramModel } from '../model.ts';
import { claimCreatorTradingFee, claimProtocolFee, claimTradingFee } from './claims.ts';
import { createConfig } from './create-config.ts';
import { createLocker } from './create-locker.ts';
import { curvePoolAuthority } from './curve-accounts.ts';
import { curveError } from './curve-errors.ts';
import { initializePoolWithSplToken, initializePoolWithToken2022 } from './initialize-pool.ts';
import { migrate } from './migrate.ts';
import { swap, swap2 } from './swap.ts';
import { transferPoolCreator } from './transfer-creator.ts';
import {
  creatorWithdrawSurplus,
  partnerWithdrawSurplus,
  withdrawLeftover,
  withdrawMigrationFee,
} from './withdrawals.ts';

const program = anchorProgram(
  BONDING_CURVE,
  {
    create_config: createConfig,
    initialize_virtual_pool_with_spl_token: initializePoolWithSplToken,
    initialize_virtual_pool_with_token2022: initializePoolWithToken2022,
    swap,
    swap2,
    claim_trading_fee: claimTradingFee,
    claim_creator_trading_fee: claimCreatorTradingFee,
    claim_protocol_fee: claimProtocolFee,
    partner_withdraw_surplus: partnerWithdrawSurplus,
    creator_withdraw_surplus: creatorWithdrawSurplus,
    withdraw_migration_fee: withdrawMigrationFee,
    withdraw_leftover: withdrawLeftover,
    transfer_pool_creator: transferPoolCreator,
    create_locker: createLocker,
    migration_damm_v2: migrate,
    // The compiled program does nothing in this instruction either; older clients still send it.
    *migration_damm_v2_create_metadata() {},
  },
  [
    'create_operator_account',
    'close_operator_account',
    'close_claim_protocol_fee_operator',
    'claim_protocol_pool_creation_fee',
    'claim_partner_pool_creation_fee',
    'zap_protocol_fee',
    'create_partner_metadata',
    'create_virtual_pool_metadata',
    'migration_meteora_damm_create_metadata',
    'migrate_meteora_damm',
    'migrate_meteora_damm_lock_lp_token',
    'migrate_meteora_damm_claim_lp_token',
  ],
  () => curveError('MathOverflow'),
);

/** Lamports from which the pool authority advances the rent of new accounts. */
const RENT_ADVANCE_LAMPORTS = 1_000_000_000n;

export const curveProgram: ProgramModel = {
  ...program,
  accounts: [
    {
      address: curvePoolAuthority.address,
      account: {
        lamports: RENT_ADVANCE_LAMPORTS,
        owner: SYSTEM_PROGRAM,
        data: new Uint8Array(0),
        executable: false,
        rentEpoch: 0n,
      },
    },
  ],
};
