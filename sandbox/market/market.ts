import type { Keypair } from '@solana/web3.js';
import type { Logger } from '../../src/shared/log.ts';
import { wait } from '../../src/shared/loop.ts';
import type { SolanaRpc } from '../shared/solana-rpc.ts';
import { LAMPORTS_PER_SOL } from './amounts.ts';
import { curvePlans } from './curve-kinds.ts';
import { Exchange } from './exchange.ts';
import { FeeClaims } from './fee-claims.ts';
import type { Feed } from './feed.ts';
import { Sender } from './landing.ts';
import { listingOf, type MarketState, type MarketToken } from './market-state.ts';
import { MigrationKeeper } from './migration-keeper.ts';
import { type Mood, moodOf, nextOrder } from './order-model.ts';
import { Swings } from './swings.ts';
import { addListings, createConfigs, launchToken } from './token-launch.ts';
import { reportToken, reportUpcoming } from './token-report.ts';
import { type Funding, fund, fundTraders, giveTokens, openPartnerAccounts } from './wallet-funding.ts';

const FIRST_TOKENS = 5;
const FIRST_TRADES_PER_TOKEN = 50;
const LATER_TRADES_AT_LAUNCH = 10;
/** The market makes this many trades before it reports that it is ready. */
const TRADES_TO_BEGIN = 20;
/** Migrations open accounts, whose rent the partner pays. */
const PARTNER_LAMPORTS = 100n * LAMPORTS_PER_SOL;
const LAUNCH_EVERY_MS = 180_000;
const UPKEEP_EVERY_MS = 30_000;
const MIGRATE_EVERY_MS = 2_000;
const CLAIM_EVERY_MS = 15_000;
const SHORTEST_PAUSE_MS = 750;
const LONGEST_PAUSE_MS = 2_250;
const GREEDY_SHARE = 0.03;

export interface MarketOptions {
  readonly state: MarketState;
  readonly rpc: SolanaRpc;
  readonly feed: Feed;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** A wallet to keep supplied with SOL and tokens of the first listing. */
  readonly giftTo: string | undefined;
  /** Creates the first token. The market claims no fees for it. */
  readonly creator?: Keypair | undefined;
  /** Pause between the fee claims of two tokens. */
  readonly claimEveryMs?: number;
  /** Pause between two trades; by default about one and a half seconds. */
  readonly pauseMs?: () => number;
}

/**
 * A few tokens whose traders buy and sell all the time, by transactions on the chain. The feed reports the tokens and
 * the numbers of their holders. The product reads trades, prices, supply and fees from the chain itself.
 */
export class Market {
  readonly #options: MarketOptions;
  readonly #funding: Funding;
  readonly #exchange: Exchange;
  readonly #migrations: MigrationKeeper;
  readonly #claims: FeeClaims;
  readonly #swings: Swings;
  readonly #pauseMs: () => number;
  readonly #lastDoneMs = new Map<string, number>();

  constructor(options: MarketOptions) {
    const { state, rpc, signal, creator } = options;
    const sender = new Sender(rpc);
    this.#options = options;
    this.#funding = { rpc, sender, signal };
    this.#exchange = new Exchange(state, rpc, sender);
    this.#migrations = new MigrationKeeper(state, rpc, sender);
    this.#claims = new FeeClaims(state, rpc, sender, creator?.publicKey.toBase58());
    this.#swings = new Swings(state, this.#exchange);
    this.#pauseMs = options.pauseMs ?? pauseMs;
    const nowMs = performance.now();
    for (const chore of ['launch', 'upkeep']) this.#lastDoneMs.set(chore, nowMs);
  }

  /** The token that examples use. */
  get firstToken(): MarketToken {
    const [token] = this.#options.state.tokens;
    if (token === undefined) throw new Error('the market was not opened');
    return token;
  }

  /** The wallet of the platform. It has an account for the first token. */
  get partner(): string {
    return this.#options.state.fees.publicKey.toBase58();
  }

  /** Creates wallets and tokens. Returns the number of trades to make at once: the first ones of a new market. */
  async open(): Promise<number> {
    const { state, feed, creator } = this.#options;
    const added = addListings(state, FIRST_TOKENS, creator);
    // These come first, because lists begin with the newest token, which should be one that trades.
    await reportUpcoming(state, feed);
    await this.#restore();
    if (added.length === 0) return 0;
    for (let at = 0; at < TRADES_TO_BEGIN; at += 1) await this.#trade(state.tokens[at % state.tokens.length]);
    return added.length * FIRST_TRADES_PER_TOKEN - TRADES_TO_BEGIN;
  }

  /** Trades until the signal aborts. Waits while the chain or the broker is away. */
  async run(historyToCome: number): Promise<void> {
    const { state, log, signal } = this.#options;
    let toCome = historyToCome;
    let failures = 0;
    while (!signal.aborted) {
      try {
        if (failures > 0) await this.#restore();
        await this.#doChores();
        const isBegun = toCome <= 0;
        if (!isBegun || !(await this.#swings.step(performance.now())))
          await this.#trade(isBegun ? this.#anyToken() : state.tokens[toCome % state.tokens.length]);
        toCome -= 1;
        failures = 0;
      } catch (err) {
        if (signal.aborted) return;
        failures += 1;
        log[failures === 1 ? 'warn' : 'debug']({ err, failures }, 'market.interrupted');
      }
      if (failures > 0 || toCome <= 0) await wait(this.#pauseMs() * (1 + Math.min(failures, 4)), signal);
    }
  }

  async #trade(token: MarketToken | undefined): Promise<void> {
    const trader = pick(this.#options.state.traders.slice(0, -1));
    if (token === undefined || trader === undefined) return;
    const outlook = await this.#exchange.lookAt(token, trader);
    const mood = this.#moodOf(token, outlook.pool.isMigrated);
    const order = nextOrder(outlook.pool.reserveLamports, outlook.heldRaw, mood, Math.random);
    await this.#exchange.send(token, trader, order, outlook, { isGreedy: Math.random() < GREEDY_SHARE });
  }

  #moodOf(token: MarketToken, isMigrated: boolean): Mood {
    const { curve: kind } = listingOf(token);
    const { thresholdLamports } = curvePlans[kind];
    return moodOf({ kind, thresholdLamports }, token.listing, isMigrated);
  }

  /** A random token, weighted by how often it is traded. */
  #anyToken(): MarketToken | undefined {
    const { tokens } = this.#options.state;
    const weights = tokens.map((token) => this.#moodOf(token, this.#migrations.hasMigrated(token)).weight);
    let place = Math.random() * weights.reduce((sum, weight) => sum + weight, 0);
    return tokens.find((_, at) => {
      place -= weights[at] ?? 0;
      return place < 0;
    });
  }

  async #doChores(): Promise<void> {
    const { state, log } = this.#options;
    await this.#whenDue('upkeep', UPKEEP_EVERY_MS, async () => {
      await this.#supplyWallets();
      await this.#supplyUser();
    });
    await this.#whenDue('migrate', MIGRATE_EVERY_MS, async () => {
      for (const token of await this.#migrations.step())
        log.info({ mint: token.mint.publicKey.toBase58() }, 'market.migrated');
    });
    await this.#whenDue('claim', this.#options.claimEveryMs ?? CLAIM_EVERY_MS, async () => {
      await this.#claims.step();
    });
    await this.#whenDue('launch', LAUNCH_EVERY_MS, async () => {
      for (const token of addListings(state, state.tokens.length + 1)) {
        await this.#launch(token);
        for (let at = 0; at < LATER_TRADES_AT_LAUNCH; at += 1) await this.#trade(token);
        log.info({ mint: token.mint.publicKey.toBase58() }, 'market.launched');
      }
    });
  }

  /** Does a chore when its interval has passed. */
  async #whenDue(chore: string, everyMs: number, work: () => Promise<void>): Promise<void> {
    const lastMs = this.#lastDoneMs.get(chore) ?? Number.NEGATIVE_INFINITY;
    const nowMs = performance.now();
    if (nowMs - lastMs < everyMs) return;
    this.#lastDoneMs.set(chore, nowMs);
    await work();
  }

  /** Creates everything that the chain lacks: all of it on a new chain, the last seconds' work after a
   * kill. */
  async #restore(): Promise<void> {
    const { state } = this.#options;
    this.#funding.sender.forgetBlockhash();
    this.#migrations.forget();
    await this.#supplyWallets();
    await createConfigs(state, this.#funding);
    for (const token of state.tokens) await this.#launch(token);
    await openPartnerAccounts(this.firstToken, state, this.#funding);
    await this.#supplyUser();
  }

  async #launch(token: MarketToken): Promise<void> {
    const { state, rpc, feed } = this.#options;
    await launchToken(token, state, this.#funding);
    await reportToken(token, state, rpc, feed);
  }

  async #supplyWallets(): Promise<void> {
    const { state, rpc } = this.#options;
    await fund(rpc, state.fees.publicKey.toBase58(), PARTNER_LAMPORTS);
    await fundTraders(state.traders, this.#funding);
  }

  async #supplyUser(): Promise<void> {
    const { giftTo, state } = this.#options;
    if (giftTo !== undefined) await giveTokens(giftTo, this.firstToken, state, this.#funding);
  }
}

function pick(items: readonly Keypair[]): Keypair | undefined {
  return items[Math.floor(Math.random() * items.length)];
}

function pauseMs(): number {
  return SHORTEST_PAUSE_MS + Math.random() * (LONGEST_PAUSE_MS - SHORTEST_PAUSE_MS);
}
