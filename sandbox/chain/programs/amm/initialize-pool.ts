import bs58 from 'bs58';
import { DAMM_V2, TOKEN_2022 } from '../../../../src/chain/accounts/programs.ts';
import { pointOf } from '../../../../src/chain/pools/swap-request.ts';
import { ZERO_ADDRESS } from '../../zero-address.ts';
import {
  accountsOf,
  type NamedAccounts,
  payer,
  readonly,
  readonlyTokens,
  requireAccount,
  signer,
  stateOf,
  tokenAccount,
  tokenInterface,
  writable,
} from '../anchor/accounts.ts';
import { type Handler, notComputed } from '../anchor/anchor-program.ts';
import type { Effect } from '../effects.ts';
import type { ProgramCall } from '../model.ts';
import { createPoolAccount, createVault } from '../pool-accounts.ts';
import { isPlainMint } from '../token-state.ts';
import { ammPoolAuthority, intoPool, requirePoolAuthority } from './amm-accounts.ts';
import { requireAmm } from './amm-errors.ts';
import { openingAmounts } from './liquidity-amounts.ts';
import { configTypes, type DammConfig, loadDammConfig } from './migration-configs.ts';
import { POOL_BYTES, type PoolTerms, poolData, poolEvent, poolTypes } from './new-pool.ts';
import { checkPoolTerms, type PoolFees, readCustomizable } from './pool-rules.ts';
import { createNftAccounts, createPositionAccount, openPosition } from './position-nft.ts';

const PROTOCOL_PERCENT = 20;
const REFERRAL_PERCENT = 20;

/** The last accounts of all three instructions. */
const tail = {
  pool_authority: readonly,
  pool: writable,
  position: writable,
  token_a_mint: readonlyTokens,
  token_b_mint: readonlyTokens,
  token_a_vault: writable,
  token_b_vault: writable,
  payer_token_a: tokenAccount,
  payer_token_b: tokenAccount,
  token_a_program: tokenInterface,
  token_b_program: tokenInterface,
  token_2022_program: readonly,
  system_program: readonly,
  event_authority: readonly,
  program: readonly,
} as const;
const head = {
  creator: readonly,
  position_nft_mint: payer,
  position_nft_account: writable,
  payer,
} as const;

type OpeningAccounts = NamedAccounts<typeof head & typeof tail>;

export const initializeCustomizablePool: Handler = function* (call, args) {
  const accounts = accountsOf(call, DAMM_V2, { ...head, ...tail });
  const terms = readCustomizable(args);
  checkPoolTerms(terms, pointOf(call.clock, terms.activationType));
  const own = { protocolFeePercent: PROTOCOL_PERCENT, referralFeePercent: REFERRAL_PERCENT };
  const rest = { poolType: poolTypes.customizable, seeds: ['cpool'], sentWhenNone: 1n };
  yield* open(call, accounts, { ...terms, ...own, ...rest });
};

export const initializePoolWithDynamicConfig: Handler = function* (call, args) {
  const accounts = accountsOf(call, DAMM_V2, {
    ...head,
    pool_creator_authority: signer,
    config: stateOf('Config'),
    ...tail,
  });
  const config = loadDammConfig(call, accounts.config);
  const isCreator = config.poolCreatorAuthority === accounts.pool_creator_authority.address;
  requireAmm(isCreator, 'InvalidAuthorityToCreateThePool');
  const terms = readCustomizable(args);
  checkPoolTerms(terms, pointOf(call.clock, terms.activationType));
  requireAmm(config.configType === configTypes.dynamic, 'InvalidConfigType');
  const own = { protocolFeePercent: PROTOCOL_PERCENT, referralFeePercent: REFERRAL_PERCENT };
  const seeds = ['pool', bs58.decode(accounts.config.address)];
  yield* open(call, accounts, {
    ...terms,
    ...own,
    poolType: poolTypes.customizable,
    seeds,
    sentWhenNone: 0n,
  });
};

export const initializePool: Handler = function* (call, args) {
  const accounts = accountsOf(call, DAMM_V2, { ...head, config: stateOf('Config'), ...tail });
  const config = loadDammConfig(call, accounts.config);
  const terms = {
    liquidity: args.u128(),
    sqrtPrice: args.u128(),
    activationPoint: args.option(() => args.u64()),
  };
  requireAmm(config.configType === configTypes.static, 'InvalidConfigType');
  requireAmm(terms.liquidity > 0n, 'InvalidMinimumLiquidity');
  const mayAnyone = config.poolCreatorAuthority === ZERO_ADDRESS;
  const isCreator = config.poolCreatorAuthority === accounts.payer.address;
  requireAmm(mayAnyone || isCreator, 'InvalidAuthorityToCreateThePool');
  if (config.vaultConfigKey !== ZERO_ADDRESS) throw notComputed('pools with an alpha vault');
  requireAmm(
    terms.sqrtPrice >= config.sqrtMinPrice && terms.sqrtPrice <= config.sqrtMaxPrice,
    'InvalidPriceRange',
  );
  const point = pointOf(call.clock, config.activationType);
  requireAmm(terms.activationPoint === null || terms.activationPoint >= point, 'InvalidActivationPoint');
  const seeds = ['pool', bs58.decode(accounts.config.address)];
  const rest = { poolType: poolTypes.permissionless, seeds, sentWhenNone: 0n };
  yield* open(call, accounts, { ...config, fees: feesOf(config), ...terms, ...rest });
};

function feesOf(config: DammConfig): PoolFees {
  const { cliffFeeNumerator, firstFactor, secondFactor, thirdFactor, baseFeeMode, compoundingFeeBps } =
    config;
  const { binStep, binStepQ64, filterPeriod, decayPeriod, reductionFactor } = config;
  const { maxVolatilityAccumulator, variableFeeControl } = config;
  const periods = { binStep, binStepQ64, filterPeriod, decayPeriod, reductionFactor };
  const dynamicFee =
    config.hasDynamicFee === 0 ? null : { ...periods, maxVolatilityAccumulator, variableFeeControl };
  const base = { cliffFeeNumerator, firstFactor, secondFactor, thirdFactor, baseFeeMode };
  return { ...base, compoundingFeeBps, padding: 0, dynamicFee };
}

function* open(
  call: ProgramCall,
  accounts: OpeningAccounts,
  terms: PoolTerms,
): Generator<Effect, void, void> {
  const { pool, token_a_mint: mintA, token_b_mint: mintB, token_2022_program: token2022 } = accounts;
  requirePoolAuthority(accounts.pool_authority);
  requireAccount(token2022.address === TOKEN_2022, 'InvalidProgramId', token2022);
  requireAccount(mintA.address !== mintB.address, 'ConstraintRaw', mintA);
  if (!isPlainMint(call, mintA) || !isPlainMint(call, mintB))
    throw notComputed('pools of mints with extensions other than metadata');
  const positionAccounts = { ...accounts, owner: accounts.creator };
  yield* createNftAccounts(call, positionAccounts);
  const newPool = { program: DAMM_V2, authority: ammPoolAuthority, pool, payer: accounts.payer };
  yield* createPoolAccount(call, newPool, terms.seeds, [mintA, mintB], POOL_BYTES);
  yield* createPositionAccount(call, positionAccounts);
  yield* createVault(call, newPool, accounts.token_a_vault, mintA, accounts.token_a_program);
  yield* createVault(call, newPool, accounts.token_b_vault, mintB, accounts.token_b_program);
  const opening = openingAmounts(terms);
  requireAmm(opening.a > 0n || opening.b > 0n, 'AmountIsZero');
  const activationPoint = terms.activationPoint ?? pointOf(call.clock, terms.activationType);
  const bytes = poolData(accounts, terms, opening, activationPoint);
  yield { kind: 'write', account: pool.index, offset: 0, bytes };
  yield* openPosition(call, positionAccounts, opening.positionLiquidity);
  const sent = [opening.a, opening.b].map((amount) => (amount === 0n ? terms.sentWhenNone : amount));
  yield* fill(call, accounts, sent);
  yield poolEvent(accounts, terms, opening, activationPoint, sent);
}

function* fill(
  call: ProgramCall,
  accounts: OpeningAccounts,
  [sentA = 0n, sentB = 0n]: readonly bigint[],
): Generator<Effect, void, void> {
  const payer = accounts.payer.address;
  yield intoPool(call, accounts, 'a', accounts.payer_token_a.address, payer, sentA);
  yield intoPool(call, accounts, 'b', accounts.payer_token_b.address, payer, sentB);
}
