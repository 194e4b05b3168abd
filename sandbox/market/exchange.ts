import { ComputeBudgetProgram, type Keypair } from '@solana/web3.js';
import { readTokenBalance } from '../../src/chain/accounts/token-account.ts';
import { readCurveConfig } from '../../src/chain/pools/curve/config-account.ts';
import { type CurveTerms, curveTerms } from '../../src/chain/pools/curve/curve-terms.ts';
import { readCurvePool } from '../../src/chain/pools/curve/pool-account.ts';
import { readDammPoolState } from '../../src/chain/pools/damm/pool-account.ts';
import type { SolanaRpc } from '../shared/solana-rpc.ts';
import type { Sender } from './landing.ts';
import { tokenAccountOf } from './launch-addresses.ts';
import type { MarketState, MarketToken } from './market-state.ts';
import type { Order } from './order-model.ts';
import type { SwapOrder } from './pool-instructions.ts';
import { ammView, curveView, type PoolView } from './pool-view.ts';
import { tradeInstructions } from './transactions.ts';

const BASIS_POINTS = 10_000n;
/** A trader accepts this much less than the quote. */
const SLIPPAGE_BPS = 300n;
/** A greedy trader asks for this much more than the quote, and its swap fails (6002). */
const GREED_BPS = 300n;

/**
 * Traders pay for priority, in micro-lamports a compute unit: in different amounts, and at most some thousand lamports.
 */
const LEAST_PRICE = 1_000;
const MOST_PRICE = 15_000;

/** The state of a token on which a trader bases a decision. */
export interface Outlook {
  readonly pool: PoolView;
  readonly heldRaw: bigint;
  readonly hasAccount: boolean;
}

/** Turns orders into swaps, on the curve or in its AMM pool. */
export class Exchange {
  readonly #state: MarketState;
  readonly #rpc: SolanaRpc;
  readonly #sender: Sender;
  readonly #terms = new Map<string, CurveTerms>();

  constructor(state: MarketState, rpc: SolanaRpc, sender: Sender) {
    this.#state = state;
    this.#rpc = rpc;
    this.#sender = sender;
  }

  async lookAt(token: MarketToken, trader: Keypair): Promise<Outlook> {
    const { mint, tokenProgram, config, pool, amm } = this.#state.addressesOf(token);
    const holder = tokenAccountOf(trader.publicKey.toBase58(), mint, tokenProgram);
    const { slot, accounts } = await this.#rpc.accounts([pool, amm.pool, holder]);
    const [curveAccount = null, ammAccount = null, holderAccount = null] = accounts;
    const clock = { slot, unixSeconds: BigInt(Math.floor(Date.now() / 1000)) };
    const held = readTokenBalance(holderAccount, mint);
    const known = { heldRaw: held ?? 0n, hasAccount: held !== null };
    const ammPool = readDammPoolState(ammAccount);
    if (ammPool !== null) return { ...known, pool: ammView(ammPool, clock) };
    const curvePool = readCurvePool(curveAccount);
    if (curvePool === null) throw new Error(`the pool of ${mint} is gone`);
    return { ...known, pool: curveView(await this.#termsOf(config), curvePool, clock) };
  }

  /** Sends the swap of an order without waiting for it. It may fail. */
  send(
    token: MarketToken,
    trader: Keypair,
    order: Order,
    { pool, hasAccount }: Outlook,
    { isGreedy }: { readonly isGreedy: boolean },
  ): Promise<string> {
    const request = requestOf(order, pool);
    // A swap that will fail is sent too: clients must meet such failures.
    const expectedRaw = pool.outOf(request) ?? 0n;
    const acceptedBps = BASIS_POINTS + (isGreedy ? GREED_BPS : -SLIPPAGE_BPS);
    const swap = { ...request, limitRaw: (expectedRaw * acceptedBps) / BASIS_POINTS };
    const wallet = trader.publicKey.toBase58();
    const state = { opens: !hasAccount, isMigrated: pool.isMigrated };
    const instructions = tradeInstructions(this.#state.addressesOf(token), wallet, swap, state);
    const microLamports = LEAST_PRICE + Math.floor(Math.random() ** 2 * (MOST_PRICE - LEAST_PRICE));
    const priority = ComputeBudgetProgram.setComputeUnitPrice({ microLamports });
    return this.#sender.send([priority, ...instructions], [trader]);
  }

  async #termsOf(config: string): Promise<CurveTerms> {
    const known = this.#terms.get(config);
    if (known !== undefined) return known;
    const [account = null] = (await this.#rpc.accounts([config])).accounts;
    const fields = readCurveConfig(account);
    if (fields === null) throw new Error(`the config ${config} is gone`);
    const terms = curveTerms(fields);
    this.#terms.set(config, terms);
    return terms;
  }
}

function requestOf(order: Order, { mostLamports }: PoolView): Omit<SwapOrder, 'limitRaw'> {
  if (order.side === 'sell') return { side: 'sell', mode: 'exact_in', amountRaw: order.tokensRaw };
  const isLast = mostLamports !== null && order.paidLamports > mostLamports;
  return { side: 'buy', mode: isLast ? 'partial_fill' : 'exact_in', amountRaw: order.paidLamports };
}
