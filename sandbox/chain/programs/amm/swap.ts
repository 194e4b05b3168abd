import { DAMM_V2 } from '../../../../src/chain/accounts/programs.ts';
import { type DammSwap, quoteDammSwap } from '../../../../src/chain/pools/damm/damm-swap.ts';
import {
  accountsOf,
  type NamedAccounts,
  optional,
  readonly,
  readonlyTokens,
  signer,
  tokenAccount,
  tokenInterface,
  writableStateOf,
} from '../anchor/accounts.ts';
import { type Handler, notComputed, sighash } from '../anchor/anchor-program.ts';
import { event } from '../cpi/invoke.ts';
import type { Effect } from '../effects.ts';
import type { ProgramCall } from '../model.ts';
import { isSingleSwap, readSwap, readSwap2, type SwapArguments } from '../swap-calls.ts';
import { loadTokenAccount } from '../token-state.ts';
import {
  fromPool,
  intoPool,
  loadPool,
  type PoolState,
  requirePoolAuthority,
  requireVaults,
  savePool,
} from './amm-accounts.ts';
import { ammError } from './amm-errors.ts';

const demands = {
  pool_authority: readonly,
  pool: writableStateOf('Pool'),
  input_token_account: tokenAccount,
  output_token_account: tokenAccount,
  token_a_vault: tokenAccount,
  token_b_vault: tokenAccount,
  token_a_mint: readonlyTokens,
  token_b_mint: readonlyTokens,
  payer: signer,
  token_a_program: tokenInterface,
  token_b_program: tokenInterface,
  referral_token_account: { ...optional, ...tokenAccount },
  event_authority: readonly,
  program: readonly,
} as const;
const ACCOUNTS = Object.keys(demands).length;
type SwapAccounts = NamedAccounts<typeof demands>;
type Direction = 'a_to_b' | 'b_to_a';

const swapShape = {
  program: DAMM_V2,
  discriminators: [sighash('global', 'swap'), sighash('global', 'swap2')],
  poolIndex: 1,
};

export const swap: Handler = (call, args) => run(call, readSwap(args));
export const swap2: Handler = (call, args) => run(call, readSwap2(args));

function* run(call: ProgramCall, request: SwapArguments): Generator<Effect, void, void> {
  const accounts = accountsOf(call, DAMM_V2, demands);
  requirePoolAuthority(accounts.pool_authority);
  const pool = loadPool(call, accounts.pool);
  requireVaults(call, pool, accounts);
  const input = loadTokenAccount(call, accounts.input_token_account);
  if (request.mode === null) throw ammError('InvalidInput');
  const direction: Direction = input.mint === pool.tokenAMint ? 'a_to_b' : 'b_to_a';
  const outcome = quoteDammSwap(pool, call.clock, {
    direction,
    mode: request.mode,
    amountRaw: request.amount0,
    limitRaw: request.amount1,
    hasReferral: accounts.referral_token_account !== null,
    provesSingleSwap: isSingleSwap(call, ACCOUNTS, accounts.pool, swapShape),
  });
  if (outcome.outcome === 'unsupported') throw notComputed(`swaps in pools of this ${outcome.reason}`);
  if (outcome.outcome === 'failed') throw ammError(outcome.error.name);
  yield* savePool(call, accounts.pool, outcome.after);
  yield* transfers(call, accounts, direction, outcome);
  yield swapEvent(call, accounts, { ...pool, ...outcome.after }, request, direction, outcome);
}

function* transfers(
  call: ProgramCall,
  accounts: SwapAccounts,
  direction: Direction,
  { inRaw, outRaw, referralFeeRaw, feeSide }: DammSwap,
): Generator<Effect, void, void> {
  const [paid, received] = direction === 'a_to_b' ? (['a', 'b'] as const) : (['b', 'a'] as const);
  const { input_token_account: from, output_token_account: to, referral_token_account: referral } = accounts;
  yield intoPool(call, accounts, paid, from.address, accounts.payer.address, inRaw);
  yield fromPool(call, accounts, received, to.address, outRaw);
  if (referral !== null) yield fromPool(call, accounts, feeSide, referral.address, referralFeeRaw);
}

function swapEvent(
  call: ProgramCall,
  accounts: SwapAccounts,
  after: PoolState,
  { amount0, amount1, modeNumber }: SwapArguments,
  direction: Direction,
  swapped: DammSwap,
): Effect {
  const { inRaw, inExcludingFeeRaw, leftRaw, outRaw, nextSqrtPrice } = swapped;
  return event(DAMM_V2, 'EvtSwap2', (to) =>
    to
      .address(accounts.pool.address)
      .u8(direction === 'a_to_b' ? 0 : 1, after.collectFeeMode)
      .bool(accounts.referral_token_account !== null)
      .u64(amount0, amount1)
      .u8(modeNumber)
      .u64(inRaw, inExcludingFeeRaw, leftRaw, outRaw)
      .u128(nextSqrtPrice)
      .u64(swapped.claimingFeeRaw, swapped.protocolFeeRaw, swapped.compoundingFeeRaw, swapped.referralFeeRaw)
      // Tokens with a transfer fee are not traded here: sent and received amounts are equal.
      .u64(inRaw, outRaw, outRaw, call.clock.unixSeconds)
      .u64(after.tokenAAmount, after.tokenBAmount),
  );
}
