import { expect, test } from 'bun:test';
import bs58 from 'bs58';
import fc from 'fast-check';
import type { Ledger } from '../../sandbox/chain/ledger.ts';
import { sighash } from '../../sandbox/chain/programs/anchor/anchor-program.ts';
import type { CurveKind } from '../../sandbox/market/curve-kinds.ts';
import { fieldsOf } from '../../src/chain/accounts/account-data.ts';
import { migrationProgress, readVirtualPool } from '../../src/chain/accounts/virtual-pool.ts';
import { quotePerBase, wholeTokenPrice } from '../../src/chain/pools/spot-price.ts';
import { getTransaction } from '../../src/chain/rpc/history-calls.ts';
import { createChainRpc } from '../../src/chain/rpc.ts';
import { readChainTransaction } from '../../src/indexer/decode/chain-transaction.ts';
import { decodeTransaction } from '../../src/indexer/decode/decode-transaction.ts';
import type { DammPool } from '../../src/indexer/decode/known-pools.ts';
import {
  addDecimals,
  type DecimalString,
  PRICE_FRACTION_DIGITS,
  rawToDecimal,
} from '../../src/shared/decimal.ts';
import {
  ExchangeModel,
  type ModelPool,
  type ModelSwap,
  type SwapOrder,
} from '../support/exchange/exchange-model.ts';
import { ExchangeStage, TRADER_LAMPORTS } from '../support/exchange/exchange-stage.ts';
import {
  anyBundle,
  type Bundle,
  instructionOf,
  orderOf,
  type SwapWish,
} from '../support/exchange/swap-wishes.ts';
import { knowToken, startIndexer } from '../support/market/chain-indexer.ts';
import { type IngestStream, openIngestStream } from '../support/market/ingest-stream.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

/** A fixed seed: in this sample every end that is counted comes often enough, which in another would be chance. */
const SEED = 16;
const TRADERS = 50;
const SWAPS = 700;
/** The indexer reads along in so many rounds, and comes up with the chain after each. */
const ROUNDS = 2;
const DECIMALS = 6;
const SLIPPAGE = 6002;
const COMPLETED = 6013;
const TOO_LITTLE_HELD = 1;
const FINAL_SLOTS = 40;
const RPC_TIMEOUT_MS = 10_000;
/** Some seconds on a machine with nothing else to do. */
const TIMEOUT_MS = 900_000;
/** Two stay on their curves, two begin in their AMM pools, and one completes and migrates on the way. */
const KINDS: readonly CurveKind[] = ['steady', 'scheduled', 'quick', 'scheduled', 'quick'];
const MIGRATED = [2, 3] as const;
const MIGRATES = 4;
/** A completed curve refuses so many bundles before it migrates. */
const BUNDLES_REFUSED = 25;
/** The venues that the indexer reads. */
const INDEXED: ReadonlySet<PredictedTrade['venue']> = new Set(['dbc', 'damm']);

const whole: Omit<SwapWish, 'market'> = {
  side: 'buy',
  mode: 'partial_fill',
  share: 1,
  limit: 'none',
  amount: 'too_much',
  hasReferral: false,
};

const stage = await ExchangeStage.open(KINDS, TRADERS);
atEnd(() => stage.chain.stop());

test(
  '700 random swaps by 50 wallets, two and three a transaction: chain, indexer and arithmetic agree',
  async () => {
    const stream = await openIngestStream();
    await stream.reset();
    await knowTokens(stream);
    const indexer = startIndexer(stream, [stage.chain.rpcUrl]);
    const run = new ExchangeRun(stage);
    const complete = (trader: number, market: number) =>
      run.send({ trader, slots: 1, wishes: [{ ...whole, market }] });
    for (const [trader, market] of MIGRATED.entries()) {
      complete(trader, market);
      run.migrate(market);
    }
    const bundles = fc.sample(anyBundle(KINDS.length, TRADERS), { numRuns: SWAPS, seed: SEED });
    let refused = 0;
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (; run.swaps < (SWAPS * round) / ROUNDS; ) {
        const bundle = bundles.shift();
        if (bundle === undefined) throw new Error('too few bundles');
        run.send(bundle);
        if (run.isComplete(MIGRATES)) refused += 1;
        if (refused !== BUNDLES_REFUSED) continue;
        run.migrate(MIGRATES);
        refused = 0;
      }
      if (round === 1) complete(MIGRATES, MIGRATES);
      stage.chain.advanceSlots(FINAL_SLOTS);
      const due = run.trades.filter(isIndexed).length;
      await eventually('the indexer comes up', async () => (await storedTrades(stream)).length >= due);
    }
    run.compareAll();
    expect(await storedTrades(stream)).toEqual(inOrderOfMarkets(run.trades.filter(isIndexed)));
    expect(await storedMarkets(stream)).toEqual(marketsAfter(run.trades.filter(isIndexed)));
    expect(await decodedTrades(run.trades)).toEqual(run.trades.filter(({ venue }) => venue === 'damm'));
    await indexer.stop();
    expect(await stream.rejections()).toEqual([]);

    const { ends } = run;
    for (const error of [SLIPPAGE, COMPLETED, TOO_LITTLE_HELD]) expect(ends.get(error)).toBeGreaterThan(4);
    expect(run.trades.length).toBeGreaterThan(SWAPS / 2);
  },
  TIMEOUT_MS,
);

const isIndexed = ({ venue }: PredictedTrade) => INDEXED.has(venue);

async function knowTokens({ db }: IngestStream): Promise<void> {
  for (const [market, { mint, pool }] of stage.markets.entries())
    await knowToken(db, {
      name: `Token ${market}`,
      pool: { mintAddress: mint, poolAddress: pool, decimals: DECIMALS },
    });
}

/** Trades as they are in the database, by market, in the order of the chain. */
async function storedTrades({ db }: IngestStream): Promise<Omit<PredictedTrade, 'venue'>[]> {
  const rows = await db<(Omit<PredictedTrade, 'venue' | 'market'> & { mintAddress: string })[]>`
    select mint_address, type, trader_wallet, slot::text, outer_index, inner_index,
      transaction_signature as signature,
      trim_scale(sol_amount)::text as sol_amount, trim_scale(token_amount)::text as token_amount,
      trim_scale(price_per_token_in_sol)::text as price_per_token_in_sol,
      trim_scale(spot_price_in_sol)::text as spot_price_in_sol,
      trim_scale(liquidity_in_sol)::text as liquidity_in_sol
    from trades order by trades.slot, transaction_index, outer_index, inner_index`;
  const placed = rows.map(({ mintAddress, ...trade }) => ({ ...trade, market: marketOf(mintAddress) }));
  return placed.sort((one, other) => one.market - other.market);
}

function inOrderOfMarkets(trades: readonly PredictedTrade[]): Omit<PredictedTrade, 'venue'>[] {
  const ordered = trades.toSorted((one, other) => one.market - other.market);
  return ordered.map(({ venue: _venue, ...trade }) => trade);
}

function marketOf(mint: string): number {
  return stage.markets.findIndex((one) => one.mint === mint);
}

interface MarketNumbers {
  market: number;
  priceInSol: string;
  liquidityInSol: string;
  volumeInSol: string;
  volumeInToken: string;
  tradeCount: number;
}

/** What is published of a market: price and liquidity of now, and what its candles add up to. */
async function storedMarkets({ db }: IngestStream): Promise<MarketNumbers[]> {
  const rows = await db<(Omit<MarketNumbers, 'market'> & { mintAddress: string })[]>`
    select mint_address, trim_scale(price_in_sol)::text as price_in_sol,
      trim_scale(liquidity_in_sol)::text as liquidity_in_sol,
      trim_scale(sum(volume_in_sol))::text as volume_in_sol,
      trim_scale(sum(volume_in_token))::text as volume_in_token, sum(trade_count)::int as trade_count
    from token_markets join candles using (mint_address) where interval = '1m'
    group by mint_address, price_in_sol, liquidity_in_sol`;
  const placed = rows.map(({ mintAddress, ...numbers }) => ({ ...numbers, market: marketOf(mintAddress) }));
  return placed.sort((one, other) => one.market - other.market);
}

function marketsAfter(trades: readonly PredictedTrade[]): MarketNumbers[] {
  return [...stage.markets.keys()].flatMap((market) => {
    const own = trades.filter((trade) => trade.market === market);
    const last = own.at(-1);
    if (last === undefined) return [];
    const sum = (amounts: readonly DecimalString[]) => amounts.reduce(addDecimals);
    return [
      {
        market,
        priceInSol: last.spotPriceInSol,
        liquidityInSol: last.liquidityInSol,
        volumeInSol: sum(own.map(({ solAmount }) => solAmount)),
        volumeInToken: sum(own.map(({ tokenAmount }) => tokenAmount)),
        tradeCount: own.length,
      },
    ];
  });
}

/** Trades in AMM pools as the decoder reads them out of what a node answers. */
async function decodedTrades(trades: readonly PredictedTrade[]): Promise<PredictedTrade[]> {
  const pools = new Map<string, DammPool>(
    stage.markets.map(({ mint, amm }) => [
      amm.pool,
      { venue: 'damm', poolAddress: amm.pool, mintAddress: mint, decimals: DECIMALS },
    ]),
  );
  const rpc = createChainRpc(stage.chain.rpcUrl);
  const decoded: PredictedTrade[] = [];
  for (const signature of new Set(trades.map((trade) => trade.signature))) {
    const answer = await getTransaction(rpc, signature, RPC_TIMEOUT_MS);
    if (!answer.ok) throw new Error(`the node did not answer: ${JSON.stringify(answer.failure)}`);
    const found = decodeTransaction(readChainTransaction(answer.value), pools);
    expect(found.skippedSwaps).toEqual([]);
    for (const { mintAddress, poolAddress: _pool, blockTime: _time, slot, ...trade } of found.trades)
      decoded.push({
        ...trade,
        slot: slot.toString(),
        market: marketOf(mintAddress),
        venue: trade.venue === 'dbc' ? 'dbc' : 'damm',
        spotPriceInSol: String(trade.spotPriceInSol),
        liquidityInSol: String(trade.liquidityInSol),
      });
  }
  return decoded;
}

const TOKEN_DECIMALS = 6;
const SOL_DECIMALS = 9;
/** The first instruction sets the compute limit. */
const FIRST_SWAP_AT = 1;
/** The fee of a transaction with one signature. */
const FEE_LAMPORTS = 5_000n;

/** A trade that the product must publish, by the arithmetic. */
interface PredictedTrade {
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
class ExchangeRun {
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

const TAGS_BYTES = 16;
const SWAP_TAG = Buffer.from(sighash('event', 'EvtSwap2'));

/** A swap from its own event. */
interface SwapEvent {
  outerIndex: number;
  innerIndex: number;
  pool: string;
  /** Amounts, the price afterwards, fees and reserves, in the event's order. */
  numbers: bigint[];
}

/** The `EvtSwap2` events of a transaction, in order. */
function swapEventsOf(ledger: Ledger, signature: string): SwapEvent[] {
  const stored = ledger.history.bySignature(signature);
  if (stored === null) throw new Error(`${signature} is not in the history`);
  const meta: {
    innerInstructions: { index: number; instructions: { data: string; accounts: number[] }[] }[];
  } = JSON.parse(stored.metaJson);
  return meta.innerInstructions.flatMap(({ index, instructions }) =>
    instructions.flatMap(({ data }, innerIndex) => {
      const bytes = Buffer.from(bs58.decode(data));
      if (!bytes.subarray(8, TAGS_BYTES).equals(SWAP_TAG)) return [];
      return [{ outerIndex: index, innerIndex, ...numbersOf(bytes.subarray(TAGS_BYTES)) }];
    }),
  );
}

/** Events of curves have 179 bytes, those of the AMM 180 (fixtures' README). */
function numbersOf(body: Buffer): { pool: string; numbers: bigint[] } {
  const fields = fieldsOf(body);
  const [at, reserves] = body.length === 179 ? [83, [155]] : [52, [164, 172]];
  const u64 = (offset: number) => fields.u64(offset);
  const fees = body.length === 179 ? [48, 56, 64] : [48, 56, 64, 72];
  return {
    pool: fields.address(0),
    numbers: [
      ...[0, 8, 16, 24].map((offset) => u64(at + offset)),
      fields.u128(at + 32),
      ...fees.map((offset) => u64(at + offset)),
      ...reserves.map(u64),
    ],
  };
}
