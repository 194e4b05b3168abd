import type { Logger } from '../../src/shared/log.ts';
import { wait } from '../../src/shared/loop.ts';
import type { SolanaRpc } from '../solana-rpc.ts';
import { GRADUATION_LAMPORTS, LAMPORTS_PER_SOL } from './curve.ts';
import { Exchange, type SentTrade } from './exchange.ts';
import type { Feed } from './feed.ts';
import { reportHolders } from './holder-count.ts';
import type { MarketState, MarketToken } from './market-state.ts';
import { balanceLevelLamports, nextOrder } from './order-model.ts';
import { settleTrades } from './settlement.ts';
import { addListings, launchToken, reportToken, reportUpcoming } from './token-launch.ts';
import { fund, fundUser } from './wallet-funding.ts';

const FIRST_TOKENS = 5;
const FIRST_TRADES_PER_TOKEN = 50;
const LATER_TRADES_AT_LAUNCH = 10;
const BATCH = 50;
const TRADER_LAMPORTS = 200n * LAMPORTS_PER_SOL;
const LAUNCH_EVERY_MS = 180_000;
const UPKEEP_EVERY_MS = 30_000;
const COUNT_EVERY_MS = 5_000;
const SHORTEST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 1_500;

export interface MarketOptions {
  readonly state: MarketState;
  readonly rpc: SolanaRpc;
  readonly feed: Feed;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** A wallet to keep supplied with SOL and tokens of the first listing. */
  readonly giftTo: string | undefined;
}

/** A few tokens whose traders buy and sell all the time, with real transfers on the chain. */
export class Market {
  readonly #options: MarketOptions;
  readonly #exchange: Exchange;
  #lastLaunchMs = performance.now();
  #lastUpkeepMs = performance.now();
  #lastCountMs = Number.NEGATIVE_INFINITY;

  constructor(options: MarketOptions) {
    this.#options = options;
    this.#exchange = new Exchange(options.state, options.rpc);
  }

  /** The token that examples use. */
  get firstToken(): MarketToken {
    const [token] = this.#options.state.tokens;
    if (token === undefined) throw new Error('the market was not opened');
    return token;
  }

  /** Creates wallets and tokens and, at the very first start, the first trades. Returns how many trades of the initial
   * history are still missing. */
  async open(): Promise<number> {
    const { state } = this.#options;
    const added = addListings(state, FIRST_TOKENS);
    // First: a list of tokens begins with the newest, which should be those that are traded.
    await reportUpcoming(state, this.#options.feed);
    await this.#restore();
    if (added.length === 0) return 0;
    await this.#trade(state.tokens, BATCH);
    return added.length * FIRST_TRADES_PER_TOKEN - BATCH;
  }

  /** Trades until the signal aborts. Waits while the chain or the broker is unavailable. */
  async run(historyToCome: number): Promise<void> {
    const { state, log, signal } = this.#options;
    let toCome = historyToCome;
    let failures = 0;
    while (!signal.aborted) {
      try {
        if (failures > 0) await this.#restore();
        await this.#upkeep();
        await this.#trade(state.tokens, toCome > 0 ? Math.min(toCome, BATCH) : 1);
        toCome -= BATCH;
        failures = 0;
      } catch (err) {
        if (signal.aborted) return;
        failures += 1;
        log[failures === 1 ? 'warn' : 'debug']({ err, failures }, 'market.interrupted');
      }
      if (failures > 0 || toCome <= 0) await wait(pauseMs() * (1 + Math.min(failures, 4)), signal);
    }
  }

  async #trade(tokens: readonly MarketToken[], count: number): Promise<void> {
    const { state, rpc, feed, signal } = this.#options;
    const { blockhash } = await rpc.latestBlockhash();
    const sent: SentTrade[] = [];
    for (let at = 0; at < count; at += 1) {
      const token = count === 1 ? pick(tokens) : tokens[at % tokens.length];
      const trader = pick(state.traders);
      if (token === undefined || trader === undefined) continue;
      const held = this.#exchange.heldBy(trader, token);
      const level = balanceLevelLamports(token.listing);
      const order = nextOrder(this.#exchange.poolOf(token), held, level, Math.random);
      const trade = await this.#exchange.send(token, trader, order, blockhash);
      if (trade !== null) sent.push(trade);
    }
    const feeWallet = state.fees.publicKey.toBase58();
    if (!(await settleTrades(sent, feeWallet, rpc, feed, signal))) await this.#restore();
    await this.#graduate();
  }

  async #graduate(): Promise<void> {
    const { state, feed, log } = this.#options;
    for (const token of state.tokens) {
      if (token.isGraduated || this.#exchange.poolOf(token).lamports < GRADUATION_LAMPORTS) continue;
      state.markGraduated(token);
      await reportToken(token, feed);
      log.info({ mint: token.mint.publicKey.toBase58() }, 'market.graduated');
    }
  }

  async #upkeep(): Promise<void> {
    const { state, rpc, feed, log, signal } = this.#options;
    const nowMs = performance.now();
    if (nowMs - this.#lastUpkeepMs > UPKEEP_EVERY_MS) {
      this.#lastUpkeepMs = nowMs;
      await this.#supplyWallets();
      await this.#supplyUser();
    }
    if (nowMs - this.#lastCountMs > COUNT_EVERY_MS) {
      this.#lastCountMs = nowMs;
      for (const token of state.tokens) await reportHolders(token, rpc, feed);
    }
    if (nowMs - this.#lastLaunchMs > LAUNCH_EVERY_MS) {
      this.#lastLaunchMs = nowMs;
      for (const token of addListings(state, state.tokens.length + 1)) {
        await launchToken(token, rpc, feed, signal);
        await this.#exchange.loadPool(token);
        await this.#trade([token], LATER_TRADES_AT_LAUNCH);
        log.info({ mint: token.mint.publicKey.toBase58() }, 'market.launched');
      }
    }
  }

  /** Creates everything that the chain does not have: all of it on a new chain, the last seconds on one that was killed. */
  async #restore(): Promise<void> {
    const { state, rpc, feed, signal } = this.#options;
    await this.#supplyWallets();
    for (const token of state.tokens) await launchToken(token, rpc, feed, signal);
    await this.#exchange.reload();
    await this.#supplyUser();
  }

  async #supplyWallets(): Promise<void> {
    const { state, rpc } = this.#options;
    await fund(rpc, state.fees.publicKey.toBase58(), LAMPORTS_PER_SOL);
    for (const trader of state.traders) await fund(rpc, trader.publicKey.toBase58(), TRADER_LAMPORTS);
  }

  async #supplyUser(): Promise<void> {
    const { giftTo, rpc, signal } = this.#options;
    if (giftTo !== undefined) await fundUser(giftTo, this.firstToken, rpc, signal);
  }
}

function pick<Item>(items: readonly Item[]): Item | undefined {
  return items[Math.floor(Math.random() * items.length)];
}

function pauseMs(): number {
  return SHORTEST_PAUSE_MS + Math.random() * (LONGEST_PAUSE_MS - SHORTEST_PAUSE_MS);
}
