import bs58 from 'bs58';
import { DAMM_V2, TOKEN_2022 } from '../../../../src/chain/accounts/programs.ts';
import { pointOf } from '../../../../src/chain/pools/swap-request.ts';
import {
  accountsOf,
  type NamedAccount,
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
import { createAccount, SYSTEM_PROGRAM } from '../cpi/system-program.ts';
import { initializeTokenAccount, transferTokens } from '../cpi/token-program.ts';
import { type DerivedAddress, derivedAddress } from '../derived-address.ts';
import type { Effect } from '../effects.ts';
import type { ProgramCall } from '../model.ts';
import { isPlainMint, loadMintDecimals } from '../token-state.ts';
import { ammPoolAuthority, requirePoolAuthority } from './amm-accounts.ts';
import { requireAmm } from './amm-errors.ts';
import { openingAmounts } from './liquidity-amounts.ts';
import { configTypes, type DammConfig, loadDammConfig } from './migration-configs.ts';
import { POOL_BYTES, type PoolTerms, poolData, poolEvent, poolTypes } from './new-pool.ts';
import { checkPoolTerms, type PoolFees, readCustomizable } from './pool-rules.ts';
import { createNftAccounts, createPositionAccount, openPosition } from './position-nft.ts';

const TOKEN_ACCOUNT_BYTES = 165;
const PROTOCOL_PERCENT = 20;
const REFERRAL_PERCENT = 20;
const NOBODY = SYSTEM_PROGRAM;

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

type OpeningAccounts = { readonly [Name in keyof typeof head | keyof typeof tail]: NamedAccount };

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
  const mayAnyone = config.poolCreatorAuthority === NOBODY;
  const isCreator = config.poolCreatorAuthority === accounts.payer.address;
  requireAmm(mayAnyone || isCreator, 'InvalidAuthorityToCreateThePool');
  if (config.vaultConfigKey !== NOBODY) throw notComputed('pools with an alpha vault');
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
  yield* createPool(call, accounts, terms.seeds);
  yield* createPositionAccount(call, positionAccounts);
  yield* createVault(call, accounts, accounts.token_a_vault, mintA, accounts.token_a_program);
  yield* createVault(call, accounts, accounts.token_b_vault, mintB, accounts.token_b_program);
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

function* createPool(
  call: ProgramCall,
  { pool, token_a_mint: mintA, token_b_mint: mintB, payer }: OpeningAccounts,
  seeds: readonly (string | Uint8Array)[],
): Generator<Effect, void, void> {
  const mints = [mintA, mintB].map(({ address }) => Buffer.from(bs58.decode(address)));
  mints.sort((one, other) => Buffer.compare(other, one));
  const derived = derivedAddress(DAMM_V2, ...seeds, ...mints);
  requireAccount(pool.address === derived.address, 'ConstraintSeeds', pool);
  yield* createAccount(call, {
    address: pool.address,
    payer: payer.address,
    owner: DAMM_V2,
    dataBytes: POOL_BYTES,
    derived,
  });
}

function* createVault(
  call: ProgramCall,
  { pool, payer }: OpeningAccounts,
  vault: NamedAccount,
  mint: NamedAccount,
  tokenProgram: NamedAccount,
): Generator<Effect, void, void> {
  const seeds = [mint.address, pool.address].map((address) => bs58.decode(address));
  const derived: DerivedAddress = derivedAddress(DAMM_V2, 'token_vault', ...seeds);
  requireAccount(vault.address === derived.address, 'ConstraintSeeds', vault);
  const { address } = vault;
  const owner = tokenProgram.address;
  yield* createAccount(call, {
    address,
    payer: payer.address,
    owner,
    dataBytes: TOKEN_ACCOUNT_BYTES,
    derived,
  });
  yield initializeTokenAccount(owner, address, mint.address, ammPoolAuthority.address);
}

function* fill(
  call: ProgramCall,
  accounts: OpeningAccounts,
  sent: readonly bigint[],
): Generator<Effect, void, void> {
  const sides = [
    [accounts.payer_token_a, accounts.token_a_mint, accounts.token_a_vault, accounts.token_a_program],
    [accounts.payer_token_b, accounts.token_b_mint, accounts.token_b_vault, accounts.token_b_program],
  ] as const;
  for (const [index, [from, mint, vault, program]] of sides.entries()) {
    yield transferTokens({
      tokenProgram: program.address,
      from: from.address,
      to: vault.address,
      mint: mint.address,
      decimals: loadMintDecimals(call, mint),
      amount: sent[index] ?? 0n,
      authority: accounts.payer.address,
    });
  }
}
