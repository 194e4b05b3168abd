import { BONDING_CURVE, DAMM_V2, TOKEN_2022 } from '../../../../src/chain/accounts/programs.ts';
import { migrationProgress } from '../../../../src/chain/accounts/virtual-pool.ts';
import { readDammPoolState } from '../../../../src/chain/pools/damm/pool-account.ts';
import { loadDammConfig } from '../amm/migration-configs.ts';
import { accountsOf, type NamedAccount, requireAccount } from '../anchor/accounts.ts';
import { type Handler, notComputed } from '../anchor/anchor-program.ts';
import { withRentRepaid } from '../cpi/system-program.ts';
import { authorityTypes, burnTokens, setAuthority } from '../cpi/token-program.ts';
import type { Effect } from '../effects.ts';
import type { ProgramCall } from '../model.ts';
import { lesser } from '../pool-numbers.ts';
import { loadTokenAccount, requireVault } from '../token-state.ts';
import { checkMigrationConfig, migratedCollectFeeModes, migrationOptions } from './config-rules.ts';
import {
  type ConfigState,
  curvePoolAuthority,
  isComplete,
  loadConfig,
  loadPool,
  type PoolState,
  requirePoolAccounts,
  requirePoolAuthority,
  savePool,
  unclaimedBaseRaw,
} from './curve-accounts.ts';
import { curveError, requireCurve } from './curve-errors.ts';
import {
  liquidityOfRest,
  type MigrationTarget,
  openingOf,
  protocolPart,
  splitThreshold,
  type TokenPair,
} from './migrated-liquidity.ts';
import {
  addLiquidity,
  createPool,
  createPosition,
  lockForEver,
  type MigrationAccounts,
  migrationDemands,
} from './migration-calls.ts';

/** Opens the AMM pool of a completed curve, with a position for the partner and one for the creator. */
export const migrate: Handler = function* (call) {
  const accounts = accountsOf(call, BONDING_CURVE, migrationDemands);
  const { virtual_pool: poolAccount, config: configAccount, base_mint, base_vault, quote_vault } = accounts;
  const pool = loadPool(call, poolAccount);
  requirePoolAccounts(pool, poolAccount, { base_vault, quote_vault, config: configAccount });
  const config = loadConfig(call, configAccount);
  requirePoolAuthority(accounts.pool_authority);
  requireAccount(accounts.amm_program.address === DAMM_V2, 'ConstraintAddress', accounts.amm_program);
  requireVault(call, base_vault, base_mint, accounts.token_base_program);
  requireVault(call, quote_vault, accounts.quote_mint, accounts.token_quote_program);
  const ammConfig = ammConfigOf(call);
  checkMigrationConfig(loadDammConfig(call, ammConfig), config.migrationFeeOption);
  requireCurve(pool.migrationProgress === migrationProgress.vestingLocked, 'NotPermitToDoThisAction');
  requireCurve(isComplete(pool, config), 'PoolIsIncompleted');
  requireCurve(config.migrationOption === migrationOptions.dammV2, 'InvalidMigrationOption');
  yield* openPool(call, accounts, ammConfig, config, pool);
};

function ammConfigOf(call: ProgramCall): NamedAccount {
  const index = Object.keys(migrationDemands).length;
  const account = call.accounts[index];
  if (account === undefined) throw curveError('MissingPoolConfigInRemainingAccount');
  return { ...account, name: 'damm_config', index };
}

function* openPool(
  call: ProgramCall,
  accounts: MigrationAccounts,
  ammConfig: NamedAccount,
  config: ConfigState,
  pool: PoolState,
): Generator<Effect, void, void> {
  const isCompounding = config.migratedCollectFeeMode === migratedCollectFeeModes.compounding;
  const target = { sqrtPrice: config.migrationSqrtPrice, isCompounding };
  const unclaimed = unclaimedBaseRaw(pool);
  const before = vaultAmounts(call, accounts);
  const { deposit, fee } = depositOf(target, config, pool, before.base - unclaimed);
  const opening = openingOf(deposit, target);
  requireCurve(opening.liquidity >= opening.dead, 'MathOverflow');
  const [first, second] = positionShares(config, pool, opening.liquidity - opening.dead);
  const change = { protocolMigrationBaseFee: fee.base, protocolMigrationQuoteFee: fee.quote };
  yield { kind: 'log', message: 'create pool' };
  const creation = createPool(accounts, ammConfig, config, totalOf(first) + opening.dead, opening.sqrtPrice);
  yield* withRentRepaid(call, curvePoolAuthority.address, accounts.payer.address, [creation]);
  yield* lockAndGive(accounts, accounts.first_position, accounts.first_position_nft_account, first, {
    message: 'transfer ownership of the first position',
  });
  const now = vaultAmounts(call, accounts);
  const rest = {
    base: deposit.base - (before.base - now.base),
    quote: deposit.quote - (before.quote - now.quote),
  };
  requireCurve(rest.base >= 0n && rest.quote >= 0n, 'MathOverflow');
  yield* openSecond(call, accounts, target, rest, second);
  yield* savePool(call, accounts.virtual_pool, {
    ...change,
    isMigrated: 1,
    migrationProgress: migrationProgress.migrated,
  });
  yield* burnRest(call, accounts, config, unclaimed + fee.base);
}

function vaultAmounts(call: ProgramCall, { base_vault, quote_vault }: MigrationAccounts): TokenPair {
  return {
    base: loadTokenAccount(call, base_vault).amount,
    quote: loadTokenAccount(call, quote_vault).amount,
  };
}

/** The tokens for the AMM pool, and the protocol's fee on them. */
function depositOf(
  target: MigrationTarget,
  config: ConfigState,
  pool: PoolState,
  freeBase: bigint,
): { deposit: TokenPair; fee: TokenPair } {
  requireCurve(freeBase >= 0n, 'MathOverflow');
  requireCurve(!target.isCompounding || freeBase >= config.migrationBaseThreshold, 'UndeterminedError');
  const { moved: quote } = splitThreshold(config.migrationQuoteThreshold, config.migrationFeePercent);
  // A pool with a range of prices may get all base tokens: the quote tokens bound its liquidity.
  const moved = { base: target.isCompounding ? config.migrationBaseThreshold : freeBase, quote };
  const fee = protocolPart(moved, BigInt(pool.protocolLiquidityMigrationFeeBps), target);
  const deposit = { base: moved.base - fee.base, quote: moved.quote - fee.quote };
  requireCurve(deposit.base >= 0n && deposit.quote >= 0n, 'MathOverflow');
  return { deposit, fee };
}

function* lockAndGive(
  accounts: MigrationAccounts,
  position: NamedAccount,
  nftAccount: NamedAccount,
  { owner, locked }: PositionShare,
  { message }: { readonly message: string },
): Generator<Effect, void, void> {
  if (locked > 0n) yield lockForEver(accounts, position, nftAccount, locked);
  yield { kind: 'log', message };
  yield setAuthority(TOKEN_2022, nftAccount.address, authorityTypes.accountOwner, owner, curvePoolAuthority);
}

function* openSecond(
  call: ProgramCall,
  accounts: MigrationAccounts,
  target: MigrationTarget,
  rest: TokenPair,
  share: PositionShare,
): Generator<Effect, void, void> {
  const ammPool = readDammPoolState(call.account(accounts.pool.address));
  if (ammPool === null) throw curveError('UndeterminedError');
  const delta = liquidityOfRest(rest, target, ammPool);
  if (delta === 0n) return;
  const {
    second_position: position,
    second_position_nft_mint: nftMint,
    second_position_nft_account: nftAccount,
  } = accounts;
  if (position === null || nftMint === null || nftAccount === null) throw curveError('InvalidAccount');
  yield { kind: 'log', message: 'create second position' };
  yield { kind: 'log', message: 'create position' };
  yield createPosition(accounts, nftMint, nftAccount, position);
  yield { kind: 'log', message: 'add liquidity' };
  yield addLiquidity(accounts, nftAccount, position, delta);
  yield* lockAndGive(accounts, position, nftAccount, withLiquidity(share, delta), {
    message: 'set authority for second position',
  });
}

/** Burns the base tokens that nobody is owed. A fixed supply shrinks at most to what the launch announced. */
function* burnRest(
  call: ProgramCall,
  accounts: MigrationAccounts,
  config: ConfigState,
  owed: bigint,
): Generator<Effect, void, void> {
  const left = loadTokenAccount(call, accounts.base_vault).amount - owed;
  requireCurve(left >= 0n, 'MathOverflow');
  const most =
    config.fixedTokenSupplyFlag === 1
      ? config.preMigrationTokenSupply - config.postMigrationTokenSupply
      : left;
  const amount = lesser(left, most);
  if (amount === 0n) return;
  const { token_base_program: program, base_mint: mint, base_vault: vault } = accounts;
  yield burnTokens(program.address, mint.address, vault.address, amount, curvePoolAuthority);
}

/** The liquidity of one position: part of it stays free, part is locked for ever. */
interface PositionShare {
  readonly owner: string;
  readonly unlocked: bigint;
  readonly locked: bigint;
  readonly lockedPercent: number;
}

function totalOf({ unlocked, locked }: PositionShare): bigint {
  return unlocked + locked;
}

/** Positions of partner and creator, the bigger one first. When both are equal, the creator's is first. */
function positionShares(
  config: ConfigState,
  pool: PoolState,
  liquidity: bigint,
): readonly [PositionShare, PositionShare] {
  if (config.partnerVestingPercent > 0 || config.creatorVestingPercent > 0)
    throw notComputed('migrations with vested liquidity');
  const part = (percent: number) => (liquidity * BigInt(percent)) / 100n;
  const partner = {
    owner: config.feeClaimer,
    unlocked: part(config.partnerLiquidityPercent),
    locked: part(config.partnerPermanentLockedLiquidityPercent),
    lockedPercent: config.partnerPermanentLockedLiquidityPercent,
  };
  const creatorLocked = part(config.creatorPermanentLockedLiquidityPercent);
  const creator = {
    owner: pool.creator,
    // The creator gets the remainder of the rounding.
    unlocked: liquidity - totalOf(partner) - creatorLocked,
    locked: creatorLocked,
    lockedPercent: config.creatorPermanentLockedLiquidityPercent,
  };
  return totalOf(partner) > totalOf(creator) ? [partner, creator] : [creator, partner];
}

/** The share with another liquidity. The free part stays the same unless the liquidity is less. */
function withLiquidity(share: PositionShare, liquidity: bigint): PositionShare {
  if (share.lockedPercent === 0) return { ...share, unlocked: liquidity, locked: 0n };
  const unlocked = liquidity < share.unlocked ? liquidity : share.unlocked;
  return { ...share, unlocked, locked: liquidity - unlocked };
}
