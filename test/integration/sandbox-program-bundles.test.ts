import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { CurveKind } from '../../sandbox/market/curve-kinds.ts';
import { getTransaction } from '../../src/chain/rpc/history-calls.ts';
import { createChainRpc } from '../../src/chain/rpc.ts';
import { readChainTransaction } from '../../src/indexer/decode/chain-transaction.ts';
import { decodeTransaction } from '../../src/indexer/decode/decode-transaction.ts';
import type { DammPool } from '../../src/indexer/decode/known-pools.ts';
import { addDecimals, type DecimalString } from '../../src/shared/decimal.ts';
import { ExchangeRun, type PredictedTrade } from '../support/exchange/exchange-run.ts';
import { ExchangeStage } from '../support/exchange/exchange-stage.ts';
import { anyBundle, type SwapWish } from '../support/exchange/swap-wishes.ts';
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
