import { DAMM_V2 } from '../../../../src/chain/accounts/programs.ts';
import { basisPointsToNumerator, numeratorAfter } from '../../../../src/chain/pools/base-fee.ts';
import type { CurveConfig } from '../../../../src/chain/pools/curve/config-account.ts';
import { U64_MAX } from '../../../../src/chain/pools/fixed-point.ts';
import { activationTypes } from '../../../../src/chain/pools/swap-request.ts';
import {
  type NamedAccount,
  type NamedAccounts,
  optional,
  payer,
  readonly,
  stateOf,
  tokenAccount,
  tokenInterface,
  writable,
  writableStateOf,
} from '../anchor/accounts.ts';
import { sighash } from '../anchor/anchor-program.ts';
import { BorshWriter } from '../anchor/borsh.ts';
import { invoke, pays, reads, signs, writes } from '../cpi/invoke.ts';
import type { Effect } from '../effects.ts';
import { BIN_STEP_Q64, SQRT_PRICE_MAX, SQRT_PRICE_MIN } from '../pool-numbers.ts';
import { MIGRATION_FEE_CUSTOMIZABLE } from './config-rules.ts';
import { type ConfigState, curvePoolAuthority } from './curve-accounts.ts';

/** The accounts of the migration, in order, and their conditions. */
export const migrationDemands = {
  virtual_pool: writableStateOf('VirtualPool'),
  migration_metadata: readonly,
  config: stateOf('PoolConfig'),
  pool_authority: writable,
  pool: writable,
  first_position_nft_mint: payer,
  first_position_nft_account: writable,
  first_position: writable,
  second_position_nft_mint: { signer: true, ...optional },
  second_position_nft_account: optional,
  second_position: optional,
  damm_pool_authority: readonly,
  amm_program: readonly,
  base_mint: writable,
  quote_mint: readonly,
  token_a_vault: writable,
  token_b_vault: writable,
  base_vault: tokenAccount,
  quote_vault: tokenAccount,
  payer,
  token_base_program: tokenInterface,
  token_quote_program: tokenInterface,
  token_2022_program: tokenInterface,
  damm_event_authority: readonly,
  system_program: readonly,
} as const;

export type MigrationAccounts = NamedAccounts<typeof migrationDemands>;

/** The AMM's numbers of `migratedCollectFeeModes`, in their order. */
const dammCollectFeeModes = [1, 0, 2] as const;

const LINEAR_MARKET_CAP = 3;
const EXPONENTIAL_MARKET_CAP = 4;
/** The dynamic fee of migrated pools at the highest volatility, in percent of the base fee. */
const DYNAMIC_PERCENT = 20n;
const MAX_VOLATILITY = 14_460_000;
const SQUARE_OF_MAX_MOVE = 209_091_600_000_000n;
const VARIABLE_FEE_SCALE = 100_000_000_000n;

/** Fee parameters for a pool with a customizable fee, as the AMM takes them. */
export function migratedFeeArguments(config: CurveConfig): Uint8Array {
  const { migratedPoolBaseFeeMode: mode } = config;
  const cliff = basisPointsToNumerator(BigInt(config.migratedPoolFeeBps));
  const isByMarketCap = mode === LINEAR_MARKET_CAP || mode === EXPONENTIAL_MARKET_CAP;
  const schedule = isByMarketCap ? marketCapSchedule(config.migratedPoolBaseFeeBytes) : NO_SCHEDULE;
  const writer = new BorshWriter()
    .u64(cliff)
    .u16(schedule.periods)
    .u64(schedule.secondFactor, schedule.reduction)
    .u8(mode)
    .u16(config.migratedCompoundingFeeBps)
    .u8(0);
  const steps = {
    isExponential: mode === EXPONENTIAL_MARKET_CAP,
    startNumerator: cliff,
    stepsMax: BigInt(schedule.periods),
    reduction: schedule.reduction,
  };
  const least = isByMarketCap ? numeratorAfter(steps.stepsMax, steps) : cliff;
  return writer.bytes(dynamicFeeArguments(config.migratedDynamicFee !== 0, least)).finish();
}

const NO_SCHEDULE = { periods: 0, secondFactor: 0n, reduction: 0n };

/** 16 bytes of a config: periods, price step in basis points, seconds until it ends, reduction. */
function marketCapSchedule(packed: bigint): typeof NO_SCHEDULE {
  const priceStepBps = (packed >> 16n) & 0xffffn;
  const expiresAfter = (packed >> 32n) & 0xffff_ffffn;
  return {
    periods: Number(packed & 0xffffn),
    secondFactor: priceStepBps | (expiresAfter << 32n),
    reduction: packed >> 64n,
  };
}

function dynamicFeeArguments(isOn: boolean, leastNumerator: bigint): Uint8Array {
  const writer = new BorshWriter().bool(isOn);
  if (!isOn) return writer.finish();
  const most = (leastNumerator * DYNAMIC_PERCENT) / 100n;
  const control = (most * VARIABLE_FEE_SCALE - (VARIABLE_FEE_SCALE - 1n)) / SQUARE_OF_MAX_MOVE;
  return writer
    .u16(1) // bin step
    .u128(BIN_STEP_Q64)
    .u16(10) // filter period
    .u16(120) // decay period
    .u16(5_000) // reduction
    .u32(MAX_VOLATILITY)
    .u32(Number(control))
    .finish();
}

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
