import { expect } from 'bun:test';
import { migrationProgress, readVirtualPool } from '../../../src/chain/accounts/virtual-pool.ts';
import { quotePerBase, wholeTokenPrice } from '../../../src/chain/pools/spot-price.ts';
import { type DecimalString, PRICE_FRACTION_DIGITS, rawToDecimal } from '../../../src/shared/decimal.ts';
import { ExchangeModel, type ModelPool, type ModelSwap, type SwapOrder } from './exchange-model.ts';
import { type ExchangeStage, TRADER_LAMPORTS } from './exchange-stage.ts';
import { type SwapEvent, swapEventsOf } from './landed-swaps.ts';
import { type Bundle, instructionOf, orderOf } from './swap-wishes.ts';

const TOKEN_DECIMALS = 6;
const SOL_DECIMALS = 9;
/** The first instruction sets the compute limit. */
const FIRST_SWAP_AT = 1;
/** The fee of a transaction with one signature. */
const FEE_LAMPORTS = 5_000n;

/** A trade that the product must publish, by the arithmetic. */
export interface PredictedTrade {
  venue: ModelPool['venue'];
  market: number;
  signature: string;
  slot: string;
  outerIndex: number;
  innerIndex: number;
  type: 'buy' | 'sell';
  traderWallet: string;
  solAmount: DecimalString;
  tokenAmount: DecimalString;
  pricePerTokenInSol: string;
  spotPriceInSol: string;
  liquidityInSol: string;
}

/** Sends bundles and compares the chain with the arithmetic. */
export class ExchangeRun {
  readonly model = new ExchangeModel();
  readonly trades: PredictedTrade[] = [];
  /** Numbers of transactions by error; null for a success. */
  readonly ends = new Map<number | null, number>();
  swaps = 0;
  readonly #stage: ExchangeStage;
  #sent = 0;
  readonly #sentBy = new Map<number, number>();

  constructor(stage: ExchangeStage) {
    this.#stage = stage;
    for (const market of stage.markets.keys()) this.#meet(market, 'dbc');
    for (const { quote, base } of [stage.referrer, ...stage.traders])
      for (const account of [quote, ...base]) this.model.balances.set(account, stage.amount(account));
  }

  /** Lands a bundle. Throws with the number of the bundle when chain and arithmetic differ. */
  send({ trader: index, slots, wishes }: Bundle): void {
    const stage = this.#stage;
    const trader = stage.traders[index];
    if (trader === undefined) throw new Error(`there is no trader ${index}`);
    if (slots > 0) stage.chain.advanceSlots(slots);
    const { clock } = stage;
    const orders = wishes.map((wish) => {
      const accounts = stage.accountsOf(trader, wish.market);
      return { market: wish.market, accounts, order: orderOf(this.model, clock, wish, accounts) };
    });
    const predicted = this.model.predict(clock, orders);
    const owner = trader.keypair.publicKey.toBase58();
    const instructions = orders.map(({ market, accounts, order }) => {
      const addresses = stage.markets[market];
      if (addresses === undefined) throw new Error(`there is no market ${market}`);
      const pool = this.model.pool(market);
      return instructionOf(addresses, pool, owner, order, accounts, this.model.feeSide(market, order.side));
    });
    const { signature, err } = stage.land(trader.keypair, instructions);
    const events = err === null ? swapEventsOf(stage.ledger, signature) : [];
    const bundle = this.#sent;
    this.#sent += 1;
    this.#sentBy.set(index, (this.#sentBy.get(index) ?? 0) + 1);
    this.swaps += wishes.length;
    this.ends.set(predicted.error, (this.ends.get(predicted.error) ?? 0) + 1);
    if (predicted.error !== null) {
      const failure = [FIRST_SWAP_AT + predicted.failedAt, { Custom: predicted.error }];
      expect({ bundle, err }).toEqual({ bundle, err: { InstructionError: failure } });
    } else {
      expect({ bundle, err, events: events.map(({ pool, numbers }) => ({ pool, numbers })) }).toEqual({
        bundle,
        err: null,
        events: predicted.swaps.map(({ after, eventNumbers }) => ({
          pool: after.address,
          numbers: eventNumbers,
        })),
      });
      this.model.adopt(predicted);
      const place = { signature, slot: clock.slot.toString(), traderWallet: owner };
      predicted.swaps.forEach((swap, at) => {
        const [request, event] = [orders[at], events[at]];
        if (request !== undefined && event !== undefined)
          this.#record({ ...event, ...place }, request.market, request.order, swap);
      });
    }
    const touched = orders.flatMap(({ market, accounts }) => {
      const { baseVault, quoteVault } = this.model.pool(market);
      return [baseVault, quoteVault, accounts.base, accounts.quote, ...Object.values(accounts.referral)];
    });
    this.#compare(
      bundle,
      orders.map(({ market }) => market),
      touched,
    );
  }

  /** Compares all pools, all balances, and the fees that the wallets paid. */
  compareAll(): void {
    for (const [index, { keypair }] of this.#stage.traders.entries()) {
      const lamports = this.#stage.ledger.vm.getBalanceLamports(keypair.publicKey.toBase58());
      const fees = BigInt(this.#sentBy.get(index) ?? 0) * FEE_LAMPORTS;
      expect({ index, lamports }).toEqual({ index, lamports: TRADER_LAMPORTS - fees });
    }
    this.#compare(this.#sent, [...this.model.pools.keys()], [...this.model.balances.keys()]);
  }

  /** Whether the curve of a market waits for its migration. */
  isComplete(market: number): boolean {
    const { venue, account } = this.model.pool(market);
    return venue === 'dbc' && readVirtualPool(account)?.migrationProgress === migrationProgress.vestingLocked;
  }

  /** Migrates a completed curve. The model then uses the new AMM pool. */
  migrate(market: number): void {
    const { baseVault, quoteVault } = this.model.pool(market);
    this.#stage.migrate(market);
    for (const vault of [baseVault, quoteVault]) this.model.balances.set(vault, this.#stage.amount(vault));
    this.#meet(market, 'damm');
  }

  #meet(market: number, venue: ModelPool['venue']): void {
    const pool = this.#stage.pool(market, venue);
    this.model.pools.set(market, pool);
    for (const vault of [pool.baseVault, pool.quoteVault])
      this.model.balances.set(vault, this.#stage.amount(vault));
  }

  #compare(bundle: number, markets: readonly number[], accounts: readonly string[]): void {
    const { vm } = this.#stage.ledger;
    for (const market of markets) {
      const { address, account } = this.model.pool(market);
      const { owner, data } = vm.getAccount(address) ?? {};
      expect({ bundle, market, owner, data }).toEqual({
        bundle,
        market,
        owner: account.owner,
        data: account.data,
      });
    }
    const held = accounts.map((account) => this.#stage.amount(account));
    expect({ bundle, held }).toEqual({
      bundle,
      held: accounts.map((account) => this.model.balance(account)),
    });
  }

  #record(
    {
      signature,
      slot,
      traderWallet,
      outerIndex,
      innerIndex,
    }: SwapEvent & Pick<PredictedTrade, 'signature' | 'slot' | 'traderWallet'>,
    market: number,
    { side }: SwapOrder,
    { inRaw, outRaw, nextSqrtPrice, solReserveRaw, after }: ModelSwap,
  ): void {
    const [solRaw, tokenRaw] = side === 'buy' ? [inRaw, outRaw] : [outRaw, inRaw];
    // A swap that moves no token has no price, so it is no trade.
    if (tokenRaw === 0n) return;
    const scale = 10n ** BigInt(PRICE_FRACTION_DIGITS + TOKEN_DECIMALS - SOL_DECIMALS);
    this.trades.push({
      venue: after.venue,
      market,
      signature,
      slot,
      outerIndex,
      innerIndex,
      type: side,
      traderWallet,
      solAmount: rawToDecimal(solRaw, SOL_DECIMALS),
      tokenAmount: rawToDecimal(tokenRaw, TOKEN_DECIMALS),
      pricePerTokenInSol: rawToDecimal((solRaw * scale) / tokenRaw, PRICE_FRACTION_DIGITS),
      spotPriceInSol: wholeTokenPrice(quotePerBase(nextSqrtPrice), TOKEN_DECIMALS, SOL_DECIMALS),
      liquidityInSol: rawToDecimal(solReserveRaw, SOL_DECIMALS),
    });
  }
}
