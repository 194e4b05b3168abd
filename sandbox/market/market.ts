import type { Logger } from '../../src/shared/log.ts';
import { wait } from '../../src/shared/loop.ts';
import type { SolanaRpc } from '../solana-rpc.ts';
import type { BookToken, MarketBook } from './book.ts';
import { GRADUATION_LAMPORTS, LAMPORTS_PER_SOL } from './curve.ts';
import { endow } from './endowment.ts';
import { Exchange, type SentTrade } from './exchange.ts';
import type { Feed } from './feed.ts';
import { reportHolders } from './holders.ts';
import { addListings, fund, launchToken, reportToken, reportUpcoming } from './launch.ts';
import { balanceLevelLamports, nextOrder } from './mood.ts';
import { settleTrades } from './settlement.ts';

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
  readonly book: MarketBook;
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
    this.#exchange = new Exchange(options.book, options.rpc);
  }

  /** The token that examples use. */
  get firstToken(): BookToken {
    const [token] = this.#options.book.tokens;
    if (token === undefined) throw new Error('the market was not opened');
    return token;
  }

  /** Brings wallets and tokens into being; at the very first start also the first trades. Returns the number of
   * trades that are still to come at once. */
  async open(): Promise<number> {
    const { book } = this.#options;
    const added = addListings(book, FIRST_TOKENS);
    // Before the others: a list of tokens begins with the newest, and what trades belongs there.
    await reportUpcoming(book, this.#options.feed);
    await this.#restore();
    if (added.length === 0) return 0;
    await this.#trade(book.tokens, BATCH);
    return added.length * FIRST_TRADES_PER_TOKEN - BATCH;
  }

  /** Trades until the signal aborts. Chain or broker being away is waited for. */
  async run(historyToCome: number): Promise<void> {
    const { book, log, signal } = this.#options;
    let toCome = historyToCome;
    let failures = 0;
    while (!signal.aborted) {
      try {
        if (failures > 0) await this.#restore();
        await this.#upkeep();
        await this.#trade(book.tokens, toCome > 0 ? Math.min(toCome, BATCH) : 1);
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

  async #trade(tokens: readonly BookToken[], count: number): Promise<void> {
    const { book, rpc, feed, signal } = this.#options;
    const { blockhash } = await rpc.latestBlockhash();
    const sent: SentTrade[] = [];
    for (let at = 0; at < count; at += 1) {
      const token = count === 1 ? pick(tokens) : tokens[at % tokens.length];
      const trader = pick(book.traders);
      if (token === undefined || trader === undefined) continue;
      const held = this.#exchange.heldBy(trader, token);
      const level = balanceLevelLamports(token.listing);
      const order = nextOrder(this.#exchange.poolOf(token), held, level, Math.random);
      const trade = await this.#exchange.send(token, trader, order, blockhash);
      if (trade !== null) sent.push(trade);
    }
    const feeWallet = book.fees.publicKey.toBase58();
    if (!(await settleTrades(sent, feeWallet, rpc, feed, signal))) await this.#restore();
    await this.#graduate();
  }

  async #graduate(): Promise<void> {
    const { book, feed, log } = this.#options;
    for (const token of book.tokens) {
      if (token.isGraduated || this.#exchange.poolOf(token).lamports < GRADUATION_LAMPORTS) continue;
      book.markGraduated(token);
      await reportToken(token, feed);
      log.info({ mint: token.mint.publicKey.toBase58() }, 'market.graduated');
    }
  }

  async #upkeep(): Promise<void> {
    const { book, rpc, feed, log, signal } = this.#options;
    const nowMs = performance.now();
    if (nowMs - this.#lastUpkeepMs > UPKEEP_EVERY_MS) {
      this.#lastUpkeepMs = nowMs;
      await this.#supplyWallets();
      await this.#supplyUser();
    }
    if (nowMs - this.#lastCountMs > COUNT_EVERY_MS) {
      this.#lastCountMs = nowMs;
      for (const token of book.tokens) await reportHolders(token, rpc, feed);
    }
    if (nowMs - this.#lastLaunchMs > LAUNCH_EVERY_MS) {
      this.#lastLaunchMs = nowMs;
      for (const token of addListings(book, book.tokens.length + 1)) {
        await launchToken(token, rpc, feed, signal);
        await this.#exchange.loadPool(token);
        await this.#trade([token], LATER_TRADES_AT_LAUNCH);
        log.info({ mint: token.mint.publicKey.toBase58() }, 'market.launched');
      }
    }
  }

  /** Puts everything in place that the chain does not have: all of it on a new one, the last seconds on one that was
   * killed. */
  async #restore(): Promise<void> {
    const { book, rpc, feed, signal } = this.#options;
    await this.#supplyWallets();
    for (const token of book.tokens) await launchToken(token, rpc, feed, signal);
    await this.#exchange.reload();
    await this.#supplyUser();
  }

  async #supplyWallets(): Promise<void> {
    const { book, rpc } = this.#options;
    await fund(rpc, book.fees.publicKey.toBase58(), LAMPORTS_PER_SOL);
    for (const trader of book.traders) await fund(rpc, trader.publicKey.toBase58(), TRADER_LAMPORTS);
  }

  async #supplyUser(): Promise<void> {
    const { giftTo, rpc, signal } = this.#options;
    if (giftTo !== undefined) await endow(giftTo, this.firstToken, rpc, signal);
  }
}

function pick<Item>(items: readonly Item[]): Item | undefined {
  return items[Math.floor(Math.random() * items.length)];
}

function pauseMs(): number {
  return SHORTEST_PAUSE_MS + Math.random() * (LONGEST_PAUSE_MS - SHORTEST_PAUSE_MS);
}
