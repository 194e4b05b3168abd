import { BONDING_CURVE } from '../../../../src/chain/accounts/programs.ts';
import { type CurveSwap, quoteCurveSwap } from '../../../../src/chain/pools/curve/curve-swap.ts';
import { curveTerms } from '../../../../src/chain/pools/curve/curve-terms.ts';
import {
  accountsOf,
  type NamedAccounts,
  optional,
  readonly,
  readonlyTokens,
  signer,
  stateOf,
  tokenAccount,
  tokenInterface,
  writableStateOf,
} from '../anchor/accounts.ts';
import { type Handler, sighash } from '../anchor/anchor-program.ts';
import { event } from '../cpi/invoke.ts';
import { transferTokens } from '../cpi/token-program.ts';
import type { Effect } from '../effects.ts';
import type { ProgramCall } from '../model.ts';
import {
  instructionsBefore,
  isSingleSwap,
  isTopLevel,
  readSwap,
  readSwap2,
  type SwapArguments,
} from '../swap-calls.ts';
import { loadMintDecimals, loadTokenAccount, requireVault } from '../token-state.ts';
import {
  type ConfigState,
  curvePoolAuthority,
  loadConfig,
  loadPool,
  type PoolState,
  requirePoolAccounts,
  requirePoolAuthority,
  savePool,
  unclaimedBaseRaw,
  vestingTotalRaw,
} from './curve-accounts.ts';
import { curveError, requireCurve } from './curve-errors.ts';

const demands = {
  pool_authority: readonly,
  config: stateOf('PoolConfig'),
  pool: writableStateOf('VirtualPool'),
  input_token_account: tokenAccount,
  output_token_account: tokenAccount,
  base_vault: tokenAccount,
  quote_vault: tokenAccount,
  base_mint: readonlyTokens,
  quote_mint: readonlyTokens,
  payer: signer,
  token_base_program: tokenInterface,
  token_quote_program: tokenInterface,
  referral_token_account: { ...optional, ...tokenAccount },
  event_authority: readonly,
  program: readonly,
} as const;
const ACCOUNTS = Object.keys(demands).length;
type SwapAccounts = NamedAccounts<typeof demands>;

const swapShape = {
  program: BONDING_CURVE,
  discriminators: [sighash('global', 'swap'), sighash('global', 'swap2')],
  poolIndex: 2,
};
const launches = [
  sighash('global', 'initialize_virtual_pool_with_spl_token'),
  sighash('global', 'initialize_virtual_pool_with_token2022'),
];
const LAUNCH_POOL_INDEX = 5;
const EXACT_IN = 0;

export const swap: Handler = (call, args) => run(call, readSwap(args));
export const swap2: Handler = (call, args) => run(call, readSwap2(args));

function* run(call: ProgramCall, request: SwapArguments): Generator<Effect, void, void> {
  const accounts = accountsOf(call, BONDING_CURVE, demands);
  requirePoolAuthority(accounts.pool_authority);
  const config = loadConfig(call, accounts.config);
  const pool = loadPool(call, accounts.pool);
  const { config: configAccount, base_vault, quote_vault } = accounts;
  requirePoolAccounts(pool, accounts.pool, { config: configAccount, base_vault, quote_vault });
  const input = loadTokenAccount(call, accounts.input_token_account);
  requireVault(call, accounts.base_vault, accounts.base_mint, accounts.token_base_program);
  requireVault(call, accounts.quote_vault, accounts.quote_mint, accounts.token_quote_program);
  const side = input.mint === accounts.base_mint.address ? 'sell' : 'buy';
  if (request.mode === null) throw curveError('TypeCastFailed');
  const outcome = quoteCurveSwap(curveTerms(config), pool, call.clock, {
    side,
    mode: request.mode,
    amountRaw: request.amount0,
    limitRaw: request.amount1,
    hasReferral: accounts.referral_token_account !== null,
    provesSingleSwap: isSingleSwap(call, ACCOUNTS, accounts.pool, swapShape),
    isFirstSwapAtLaunch: isAtLaunch(call, accounts),
  });
  if (outcome.outcome === 'failed') throw curveError(outcome.error.name);
  yield* savePool(call, accounts.pool, outcome.after);
  yield* transfers(call, accounts, side, outcome);
  const after = { ...pool, ...outcome.after };
  yield* events(call, accounts, config, after, request, side, outcome);
  if (outcome.completesCurve) yield* complete(call, accounts, config, after);
}

/** Whether the swap proves that its own transaction creates the pool. It must be top-level and without a referral. */
function isAtLaunch(call: ProgramCall, { pool, referral_token_account: referral }: SwapAccounts): boolean {
  const before = instructionsBefore(call, ACCOUNTS);
  if (before === null || referral !== null || !isTopLevel(call, BONDING_CURVE)) return false;
  return before.some(
    ({ program, data, accounts }) =>
      program === BONDING_CURVE &&
      launches.some((bytes) => bytes.every((byte, at) => byte === data[at])) &&
      accounts[LAUNCH_POOL_INDEX]?.address === pool.address,
  );
}

function* transfers(
  call: ProgramCall,
  accounts: SwapAccounts,
  side: 'buy' | 'sell',
  { inRaw, outRaw, referralFeeRaw, feeSide }: CurveSwap,
): Generator<Effect, void, void> {
  const base = {
    tokenProgram: accounts.token_base_program.address,
    mint: accounts.base_mint.address,
    decimals: loadMintDecimals(call, accounts.base_mint),
    vault: accounts.base_vault.address,
  };
  const quote = {
    tokenProgram: accounts.token_quote_program.address,
    mint: accounts.quote_mint.address,
    decimals: loadMintDecimals(call, accounts.quote_mint),
    vault: accounts.quote_vault.address,
  };
  const [paid, received] = side === 'buy' ? [quote, base] : [base, quote];
  const from = accounts.input_token_account.address;
  yield transferTokens({ ...paid, from, to: paid.vault, amount: inRaw, authority: accounts.payer.address });
  const to = accounts.output_token_account.address;
  yield transferTokens({
    ...received,
    from: received.vault,
    to,
    amount: outRaw,
    authority: curvePoolAuthority,
  });
  if (accounts.referral_token_account === null) return;
  const fee = feeSide === 'base' ? base : quote;
  yield transferTokens({
    ...fee,
    from: fee.vault,
    to: accounts.referral_token_account.address,
    amount: referralFeeRaw,
    authority: curvePoolAuthority,
  });
}

function* events(
  call: ProgramCall,
  accounts: SwapAccounts,
  config: ConfigState,
  after: PoolState,
  { amount0, amount1, modeNumber }: SwapArguments,
  side: 'buy' | 'sell',
  swapped: CurveSwap,
): Generator<Effect, void, void> {
  const { inRaw, inExcludingFeeRaw, leftRaw, outRaw, nextSqrtPrice } = swapped;
  const keys = [accounts.pool.address, accounts.config.address];
  const direction = side === 'buy' ? 1 : 0;
  const hasReferral = accounts.referral_token_account !== null;
  const fees = [swapped.tradingFeeRaw, swapped.protocolFeeRaw, swapped.referralFeeRaw];
  // The older event has fields for exact amounts in. In the other modes it reports the amounts that moved.
  const asked = modeNumber === EXACT_IN ? [amount0, amount1] : [inRaw, outRaw];
  yield event(BONDING_CURVE, 'EvtSwap', (to) =>
    to
      .address(...keys)
      .u8(direction)
      .bool(hasReferral)
      .u64(...asked)
      .u64(inExcludingFeeRaw, outRaw)
      .u128(nextSqrtPrice)
      .u64(...fees, inRaw, call.clock.unixSeconds),
  );
  yield event(BONDING_CURVE, 'EvtSwap2', (to) =>
    to
      .address(...keys)
      .u8(direction)
      .bool(hasReferral)
      .u64(amount0, amount1)
      .u8(modeNumber)
      .u64(inRaw, inExcludingFeeRaw, leftRaw, outRaw)
      .u128(nextSqrtPrice)
      .u64(...fees, after.quoteReserve, config.migrationQuoteThreshold, call.clock.unixSeconds),
  );
}

function* complete(
  call: ProgramCall,
  accounts: SwapAccounts,
  config: ConfigState,
  after: PoolState,
): Generator<Effect, void, void> {
  const required = config.migrationBaseThreshold + unclaimedBaseRaw(after) + vestingTotalRaw(config);
  const { amount } = loadTokenAccount(call, accounts.base_vault);
  requireCurve(amount >= required, 'InsufficientLiquidityForMigration');
  yield event(BONDING_CURVE, 'EvtCurveComplete', (to) =>
    to.address(accounts.pool.address, accounts.config.address).u64(after.baseReserve, after.quoteReserve),
  );
}
