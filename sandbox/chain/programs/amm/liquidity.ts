import { DAMM_V2, TOKEN_2022 } from '../../../../src/chain/accounts/programs.ts';
import {
  accountsOf,
  type NamedAccounts,
  payer,
  readonly,
  readonlyTokens,
  requireAccount,
  signer,
  writable,
  writableStateOf,
} from '../anchor/accounts.ts';
import { type Handler, notComputed } from '../anchor/anchor-program.ts';
import { event } from '../cpi/invoke.ts';
import type { Effect } from '../effects.ts';
import type { ProgramCall } from '../model.ts';
import {
  fromPool,
  intoPool,
  loadOwnPosition,
  loadPool,
  positionDemands,
  requireNoRewards,
  requirePoolAuthority,
  requireSides,
  savePool,
  savePosition,
  settledFees,
} from './amm-accounts.ts';
import { requireAmm } from './amm-errors.ts';
import { amountsFor } from './liquidity-amounts.ts';
import { createNftAccounts, createPositionAccount, openPosition } from './position-nft.ts';

const POOL_ENABLED = 0;
const ADDED = 0;
const REMOVED = 1;

const demands = { pool: writableStateOf('Pool'), ...positionDemands } as const;
type LiquidityAccounts = NamedAccounts<typeof demands>;

interface Change {
  readonly delta: bigint;
  readonly thresholds: readonly [bigint, bigint];
}

export const addLiquidity: Handler = function* (call, args) {
  const accounts = accountsOf(call, DAMM_V2, demands);
  const { pool, position } = loadBoth(call, accounts);
  const change: Change = { delta: args.u128(), thresholds: [args.u64(), args.u64()] };
  requireAmm(change.delta > 0n, 'InvalidParameters');
  requireAmm(pool.poolStatus === POOL_ENABLED, 'PoolDisabled');
  const { a, b } = amountsFor(pool, change.delta, 'up');
  requireAmm(a > 0n || b > 0n, 'AmountIsZero');
  requireAmm(a <= change.thresholds[0] && b <= change.thresholds[1], 'ExceededSlippage');
  const after = {
    liquidity: pool.liquidity + change.delta,
    tokenAAmount: pool.tokenAAmount + a,
    tokenBAmount: pool.tokenBAmount + b,
  };
  yield* savePool(call, accounts.pool, after);
  yield* savePosition(call, accounts.position, {
    ...settledFees(position, pool),
    unlockedLiquidity: position.unlockedLiquidity + change.delta,
  });
  const owner = accounts.owner.address;
  yield intoPool(call, accounts, 'a', accounts.token_a_account.address, owner, a);
  yield intoPool(call, accounts, 'b', accounts.token_b_account.address, owner, b);
  yield changeEvent(accounts, change, [a, b], after, ADDED);
};

export const removeLiquidity: Handler = function* (call, args) {
  yield* remove(call, () => ({ delta: args.u128(), thresholds: [args.u64(), args.u64()] }));
};

export const removeAllLiquidity: Handler = function* (call, args) {
  yield* remove(call, (unlocked) => ({ delta: unlocked, thresholds: [args.u64(), args.u64()] }));
};

function* remove(call: ProgramCall, changeOf: (unlocked: bigint) => Change): Generator<Effect, void, void> {
  const accounts = accountsOf(call, DAMM_V2, { pool_authority: readonly, ...demands });
  requirePoolAuthority(accounts.pool_authority);
  const { pool, position } = loadBoth(call, accounts);
  const change = changeOf(position.unlockedLiquidity);
  requireAmm(pool.poolStatus === POOL_ENABLED, 'PoolDisabled');
  if (position.vestedLiquidity > 0n) throw notComputed('positions with vested liquidity');
  requireAmm(change.delta > 0n && change.delta <= position.unlockedLiquidity, 'InsufficientLiquidity');
  const { a, b } = amountsFor(pool, change.delta, 'down');
  requireAmm(a > 0n || b > 0n, 'AmountIsZero');
  requireAmm(a >= change.thresholds[0] && b >= change.thresholds[1], 'ExceededSlippage');
  const after = {
    liquidity: pool.liquidity - change.delta,
    tokenAAmount: pool.tokenAAmount - a,
    tokenBAmount: pool.tokenBAmount - b,
  };
  requireAmm(after.tokenAAmount >= 0n && after.tokenBAmount >= 0n, 'MathOverflow');
  yield* savePool(call, accounts.pool, after);
  yield* savePosition(call, accounts.position, {
    ...settledFees(position, pool),
    unlockedLiquidity: position.unlockedLiquidity - change.delta,
  });
  yield fromPool(call, accounts, 'a', accounts.token_a_account.address, a);
  yield fromPool(call, accounts, 'b', accounts.token_b_account.address, b);
  yield changeEvent(accounts, change, [a, b], after, REMOVED);
}

function loadBoth(call: ProgramCall, accounts: LiquidityAccounts) {
  const pool = loadPool(call, accounts.pool);
  requireSides(call, pool, accounts);
  requireNoRewards(call, accounts.pool);
  return { pool, position: loadOwnPosition(call, accounts) };
}

function changeEvent(
  accounts: LiquidityAccounts,
  { delta, thresholds }: Change,
  amounts: readonly [bigint, bigint],
  after: { readonly tokenAAmount: bigint; readonly tokenBAmount: bigint },
  changeType: number,
): Effect {
  return event(DAMM_V2, 'EvtLiquidityChange', (to) =>
    to
      .address(accounts.pool.address, accounts.position.address, accounts.owner.address)
      .u64(...amounts, ...amounts)
      .u64(after.tokenAAmount, after.tokenBAmount)
      .u128(delta)
      .u64(...thresholds)
      .u8(changeType),
  );
}

export const permanentLockPosition: Handler = function* (call, args) {
  const accounts = accountsOf(call, DAMM_V2, {
    pool: writableStateOf('Pool'),
    position: writableStateOf('Position'),
    position_nft_account: readonlyTokens,
    owner: signer,
    event_authority: readonly,
    program: readonly,
  });
  const pool = loadPool(call, accounts.pool);
  const position = loadOwnPosition(call, accounts);
  const locked = args.u128();
  requireAmm(pool.poolStatus === POOL_ENABLED, 'PoolDisabled');
  if (position.vestedLiquidity > 0n) throw notComputed('positions with vested liquidity');
  requireAmm(locked <= position.unlockedLiquidity, 'InsufficientLiquidity');
  yield* savePosition(call, accounts.position, {
    unlockedLiquidity: position.unlockedLiquidity - locked,
    permanentLockedLiquidity: position.permanentLockedLiquidity + locked,
  });
  const total = pool.permanentLockLiquidity + locked;
  yield* savePool(call, accounts.pool, { permanentLockLiquidity: total });
  yield event(DAMM_V2, 'EvtPermanentLockPosition', (to) =>
    to.address(accounts.pool.address, accounts.position.address).u128(locked, total),
  );
};

/** An empty position of a pool. */
export const createPosition: Handler = function* (call) {
  const accounts = accountsOf(call, DAMM_V2, {
    owner: readonly,
    position_nft_mint: payer,
    position_nft_account: writable,
    pool: writableStateOf('Pool'),
    position: writable,
    pool_authority: readonly,
    payer,
    token_program: readonly,
    system_program: readonly,
    event_authority: readonly,
    program: readonly,
  });
  requirePoolAuthority(accounts.pool_authority);
  const { token_program: tokenProgram } = accounts;
  requireAccount(tokenProgram.address === TOKEN_2022, 'InvalidProgramId', tokenProgram);
  const pool = loadPool(call, accounts.pool);
  yield* createNftAccounts(call, accounts);
  yield* createPositionAccount(call, accounts);
  requireAmm(pool.poolStatus === POOL_ENABLED, 'PoolDisabled');
  yield* savePool(call, accounts.pool, { totalPosition: pool.totalPosition + 1n });
  yield* openPosition(call, accounts, 0n);
};
