import { DAMM_V2 } from '../../../../src/chain/accounts/programs.ts';
import { U64_MAX } from '../../../../src/chain/pools/fixed-point.ts';
import { activationTypes } from '../../../../src/chain/pools/swap-request.ts';
import type { NamedAccount } from '../anchor/accounts.ts';
import { sighash } from '../anchor/anchor-program.ts';
import { BorshWriter } from '../anchor/borsh.ts';
import { invoke, pays, reads, signs, writes } from '../cpi/invoke.ts';
import type { Effect } from '../effects.ts';
import { SQRT_PRICE_MAX, SQRT_PRICE_MIN } from '../pool-numbers.ts';
import { MIGRATION_FEE_CUSTOMIZABLE } from './config-rules.ts';
import { type ConfigState, curvePoolAuthority } from './curve-accounts.ts';
import { dammCollectFeeModes, migratedFeeArguments } from './migrated-fee.ts';
import type { MigrationAccounts } from './migration-accounts.ts';

const authority = curvePoolAuthority.address;

/** Opens the pool with its first position from the curve's vaults, by one of the two instructions that use a config. */
export function createPool(
  accounts: MigrationAccounts,
  ammConfig: NamedAccount,
  config: ConfigState,
  liquidity: bigint,
  sqrtPrice: bigint,
): Effect {
  const isCustomizable = config.migrationFeeOption === MIGRATION_FEE_CUSTOMIZABLE;
  const metas = [
    reads(authority), // creator
    pays(accounts.first_position_nft_mint.address),
    writes(accounts.first_position_nft_account.address),
    pays(authority),
    ...(isCustomizable ? [signs(authority)] : []),
    reads(ammConfig.address),
    reads(accounts.damm_pool_authority.address),
    writes(accounts.pool.address),
    writes(accounts.first_position.address),
    reads(accounts.base_mint.address),
    reads(accounts.quote_mint.address),
    writes(accounts.token_a_vault.address),
    writes(accounts.token_b_vault.address),
    writes(accounts.base_vault.address),
    writes(accounts.quote_vault.address),
    reads(accounts.token_base_program.address),
    reads(accounts.token_quote_program.address),
    reads(accounts.token_2022_program.address),
    reads(accounts.system_program.address),
    reads(accounts.damm_event_authority.address),
    reads(DAMM_V2),
  ];
  const data = new BorshWriter();
  if (isCustomizable) {
    data
      .bytes(sighash('global', 'initialize_pool_with_dynamic_config'))
      .bytes(migratedFeeArguments(config))
      .u128(SQRT_PRICE_MIN, SQRT_PRICE_MAX)
      .bool(false) // no alpha vault
      .u128(liquidity, sqrtPrice)
      .u8(activationTypes.timestamp, dammCollectFeeModes[config.migratedCollectFeeMode] ?? 0);
  } else {
    data.bytes(sighash('global', 'initialize_pool')).u128(liquidity, sqrtPrice);
  }
  // The pool is active at once.
  return invoke(DAMM_V2, metas, data.bool(false).finish(), [curvePoolAuthority]);
}

export function lockForEver(
  accounts: MigrationAccounts,
  position: NamedAccount,
  nftAccount: NamedAccount,
  liquidity: bigint,
): Effect {
  const data = new BorshWriter().bytes(sighash('global', 'permanent_lock_position')).u128(liquidity).finish();
  const metas = [
    writes(accounts.pool.address),
    writes(position.address),
    reads(nftAccount.address),
    signs(authority),
    reads(accounts.damm_event_authority.address),
    reads(DAMM_V2),
  ];
  return invoke(DAMM_V2, metas, data, [curvePoolAuthority]);
}

export function createPosition(
  accounts: MigrationAccounts,
  nftMint: NamedAccount,
  nftAccount: NamedAccount,
  position: NamedAccount,
): Effect {
  const metas = [
    reads(authority), // owner
    pays(nftMint.address),
    writes(nftAccount.address),
    writes(accounts.pool.address),
    writes(position.address),
    reads(accounts.damm_pool_authority.address),
    pays(accounts.payer.address),
    reads(accounts.token_2022_program.address),
    reads(accounts.system_program.address),
    reads(accounts.damm_event_authority.address),
    reads(DAMM_V2),
  ];
  return invoke(DAMM_V2, metas, sighash('global', 'create_position'));
}

/** Adds liquidity without a limit on either token. */
export function addLiquidity(
  accounts: MigrationAccounts,
  nftAccount: NamedAccount,
  position: NamedAccount,
  liquidity: bigint,
): Effect {
  const metas = [
    writes(accounts.pool.address),
    writes(position.address),
    writes(accounts.base_vault.address),
    writes(accounts.quote_vault.address),
    writes(accounts.token_a_vault.address),
    writes(accounts.token_b_vault.address),
    reads(accounts.base_mint.address),
    reads(accounts.quote_mint.address),
    reads(nftAccount.address),
    signs(authority),
    reads(accounts.token_base_program.address),
    reads(accounts.token_quote_program.address),
    reads(accounts.damm_event_authority.address),
    reads(DAMM_V2),
  ];
  const data = new BorshWriter()
    .bytes(sighash('global', 'add_liquidity'))
    .u128(liquidity)
    .u64(U64_MAX, U64_MAX);
  return invoke(DAMM_V2, metas, data.finish(), [curvePoolAuthority]);
}
