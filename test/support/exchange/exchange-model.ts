import type { ChainAccount } from '../../../src/chain/accounts/account-data.ts';
import { quoteCurveSwap } from '../../../src/chain/pools/curve/curve-swap.ts';
import type { CurveTerms } from '../../../src/chain/pools/curve/curve-terms.ts';
import { readCurvePool, writeCurvePool } from '../../../src/chain/pools/curve/pool-account.ts';
import { quoteDammSwap } from '../../../src/chain/pools/damm/damm-swap.ts';
import { readDammPoolState, writeDammPoolState } from '../../../src/chain/pools/damm/pool-account.ts';
import type { PoolClock, SwapMode } from '../../../src/chain/pools/swap-request.ts';

/** The error of the token programs for an account that holds too little. */
const INSUFFICIENT_FUNDS = 1;
const FEE_IN_OUTPUT = 0;

export interface SwapOrder {
  side: 'buy' | 'sell';
  mode: SwapMode;
  amountRaw: bigint;
  limitRaw: bigint;
  hasReferral: boolean;
}

/** The inputs of the arithmetic: the bytes of the pool's account and, for a curve, the terms of its
 * config. */
export interface ModelPool {
  venue: 'dbc' | 'damm';
  address: string;
  baseVault: string;
  quoteVault: string;
  terms: CurveTerms | null;
  account: ChainAccount;
}

/** A successful swap. */
export interface ModelSwap {
  error: null;
  inRaw: bigint;
  outRaw: bigint;
  referralRaw: bigint;
  /** The token of the fee and of a referral's share. */
  feeSide: 'base' | 'quote';
  nextSqrtPrice: bigint;
  /** SOL in the pool after the swap. */
  solReserveRaw: bigint;
  /** Amounts and prices of the event, in its order. */
  eventNumbers: bigint[];
  after: ModelPool;
}

/** The token accounts of a swap. */
export interface SwapAccounts {
  base: string;
  quote: string;
  referral: { base: string; quote: string };
}

/** Computes the result of a swap by arithmetic alone. */
export function quote(pool: ModelPool, clock: PoolClock, order: SwapOrder): ModelSwap | { error: number } {
  const { amountRaw, limitRaw, mode, hasReferral } = order;
  const request = { amountRaw, limitRaw, mode, hasReferral, provesSingleSwap: false };
  return pool.terms === null
    ? quoteOnAmm(pool, clock, { ...request, direction: order.side === 'buy' ? 'b_to_a' : 'a_to_b' })
    : quoteOnCurve(pool, pool.terms, clock, { ...request, side: order.side, isFirstSwapAtLaunch: false });
}

function quoteOnCurve(
  pool: ModelPool,
  terms: CurveTerms,
  clock: PoolClock,
  request: Parameters<typeof quoteCurveSwap>[3],
): ModelSwap | { error: number } {
  const before = readCurvePool(pool.account);
  if (before === null) throw new Error(`${pool.address} is no curve`);
  const swap = quoteCurveSwap(terms, before, clock, request);
  if (swap.outcome === 'failed') return { error: swap.error.number };
  const { inRaw, inExcludingFeeRaw, leftRaw, outRaw, nextSqrtPrice } = swap;
  const data = Uint8Array.from(pool.account.data);
  writeCurvePool(data, swap.after);
  const solReserveRaw = swap.after.quoteReserve ?? before.quoteReserve;
  return {
    error: null,
    inRaw,
    outRaw,
    referralRaw: swap.referralFeeRaw,
    feeSide: swap.feeSide,
    nextSqrtPrice,
    solReserveRaw,
    eventNumbers: [
      inRaw,
      inExcludingFeeRaw,
      leftRaw,
      outRaw,
      nextSqrtPrice,
      swap.tradingFeeRaw,
      swap.protocolFeeRaw,
      swap.referralFeeRaw,
      solReserveRaw,
    ],
    after: { ...pool, account: { ...pool.account, data } },
  };
}

/** In the pool of a migrated curve the base token is A and SOL is B. */
function quoteOnAmm(
  pool: ModelPool,
  clock: PoolClock,
  request: Parameters<typeof quoteDammSwap>[2],
): ModelSwap | { error: number } {
  const before = readDammPoolState(pool.account);
  if (before === null) throw new Error(`${pool.address} is no AMM pool`);
  const swap = quoteDammSwap(before, clock, request);
  if (swap.outcome === 'unsupported') throw new Error(swap.reason);
  if (swap.outcome === 'failed') return { error: swap.error.number };
  const { inRaw, inExcludingFeeRaw, leftRaw, outRaw, nextSqrtPrice } = swap;
  const data = Uint8Array.from(pool.account.data);
  writeDammPoolState(data, swap.after);
  const { tokenAAmount, tokenBAmount } = { ...before, ...swap.after };
  return {
    error: null,
    inRaw,
    outRaw,
    referralRaw: swap.referralFeeRaw,
    feeSide: swap.feeSide === 'a' ? 'base' : 'quote',
    nextSqrtPrice,
    solReserveRaw: tokenBAmount,
    eventNumbers: [
      inRaw,
      inExcludingFeeRaw,
      leftRaw,
      outRaw,
      nextSqrtPrice,
      swap.claimingFeeRaw,
      swap.protocolFeeRaw,
      swap.compoundingFeeRaw,
      swap.referralFeeRaw,
      tokenAAmount,
      tokenBAmount,
    ],
    after: { ...pool, account: { ...pool.account, data } },
  };
}

/** The effect of a transaction: all of its swaps, or none because one of them fails. */
export type Prediction =
  | { error: number; failedAt: number }
  | { error: null; swaps: ModelSwap[]; pools: Map<number, ModelPool>; balances: Map<string, bigint> };

/** All pools and token balances, updated by arithmetic alone. */
export class ExchangeModel {
  /** By market. */
  readonly pools = new Map<number, ModelPool>();
  /** By token account. */
  readonly balances = new Map<string, bigint>();

  pool(market: number): ModelPool {
    const pool = this.pools.get(market);
    if (pool === undefined) throw new Error(`there is no market ${market}`);
    return pool;
  }

  balance(account: string): bigint {
    const balance = this.balances.get(account);
    if (balance === undefined) throw new Error(`there is no account ${account}`);
    return balance;
  }

  /** The token in which a swap pays its fee: SOL on these curves; the settings of an AMM pool decide
   * there. */
  feeSide(market: number, side: 'buy' | 'sell'): 'base' | 'quote' {
    const { venue, account } = this.pool(market);
    const isOfOutput = venue === 'damm' && readDammPoolState(account)?.collectFeeMode === FEE_IN_OUTPUT;
    return isOfOutput && side === 'buy' ? 'base' : 'quote';
  }

  predict(
    clock: PoolClock,
    swaps: readonly { market: number; order: SwapOrder; accounts: SwapAccounts }[],
  ): Prediction {
    const after = new ExchangeModel();
    for (const [market, pool] of this.pools) after.pools.set(market, pool);
    for (const [account, balance] of this.balances) after.balances.set(account, balance);
    const done: ModelSwap[] = [];
    for (const [at, { market, order, accounts }] of swaps.entries()) {
      const swap = quote(after.pool(market), clock, order);
      if (swap.error !== null) return { error: swap.error, failedAt: at };
      const input = order.side === 'buy' ? accounts.quote : accounts.base;
      if (after.balance(input) < swap.inRaw) return { error: INSUFFICIENT_FUNDS, failedAt: at };
      after.#carryOut(market, order, accounts, swap);
      done.push(swap);
    }
    return { error: null, swaps: done, pools: after.pools, balances: after.balances };
  }

  adopt({ pools, balances }: Prediction & { error: null }): void {
    for (const [market, pool] of pools) this.pools.set(market, pool);
    for (const [account, balance] of balances) this.balances.set(account, balance);
  }

  #carryOut(market: number, { side }: SwapOrder, accounts: SwapAccounts, swap: ModelSwap): void {
    const { baseVault, quoteVault } = swap.after;
    const isBuy = side === 'buy';
    const [input, output] = isBuy ? [accounts.quote, accounts.base] : [accounts.base, accounts.quote];
    const [vaultIn, vaultOut] = isBuy ? [quoteVault, baseVault] : [baseVault, quoteVault];
    this.#move(input, vaultIn, swap.inRaw);
    this.#move(vaultOut, output, swap.outRaw);
    const feeVault = swap.feeSide === 'base' ? baseVault : quoteVault;
    this.#move(feeVault, accounts.referral[swap.feeSide], swap.referralRaw);
    this.pools.set(market, swap.after);
  }

  #move(from: string, to: string, raw: bigint): void {
    this.balances.set(from, this.balance(from) - raw);
    this.balances.set(to, this.balance(to) + raw);
  }
}
