import { beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import type { Ledger } from '../../sandbox/chain/ledger.ts';
import { sighash } from '../../sandbox/chain/programs/anchor/anchor-program.ts';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import { SUPPLY_RAW } from '../../sandbox/market/amounts.ts';
import { Feed } from '../../sandbox/market/feed.ts';
import { Market } from '../../sandbox/market/market.ts';
import { listingOf, MarketState, type MarketToken } from '../../sandbox/market/market-state.ts';
import { SolanaRpc } from '../../sandbox/shared/solana-rpc.ts';
import { fieldsOf } from '../../src/chain/accounts/account-data.ts';
import { INGEST_STREAM, ingestSubject } from '../../src/shared/bus/topology.ts';
import { rawToDecimal } from '../../src/shared/decimal.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { startIndexer } from '../support/market/chain-indexer.ts';
import { type IngestStream, openIngestStream } from '../support/market/ingest-stream.ts';
import { silentLog, urlOf } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTempDir } from '../support/run/temp-dir.ts';

const SLIPPAGE_FAILED = 6002;
/** A market that does not pause needs seconds for what takes minutes otherwise. */
const fields = ['transactionSignature', 'slot', 'type', 'solAmount', 'tokenAmount'] as const;
const LIFE_TIMEOUT_MS = 300_000;

const stateFile = join(createTempDir('market'), 'market.json');
const user = Keypair.generate().publicKey.toBase58();
let stream: IngestStream;
let chain: SandboxChain;
let api: TestApi;

beforeAll(async () => {
  stream = await openIngestStream();
  await stream.reset();
  chain = await startChain({ slotMs: 50, blockhashWindow: 1_500 });
  atEnd(() => chain.stop());
  const environment = {
    DATABASE_URL: urlOf(stream.db),
    NATS_URL: stream.nats.url,
    SOLANA_RPC_URL: chain.rpcUrl,
  };
  api = await startTestApi({ environment });
});

async function openMarket() {
  const rpc = new SolanaRpc(chain.rpcUrl);
  const stop = new AbortController();
  const feed = new Feed(stream.connection, silentLog, stop.signal);
  const state = MarketState.open(stateFile, await rpc.genesisHash());
  const options = { state, rpc, feed, log: silentLog, signal: stop.signal, giftTo: user };
  const market = new Market({ ...options, pauseMs: () => 0 });
  const toCome = await market.open();
  return { state, market, toCome, stop };
}

/** Kinds of facts that were told, with their number. */
async function toldKinds(): Promise<Record<string, number>> {
  const { streams } = await jetstreamManager(stream.connection);
  const { state } = await streams.info(INGEST_STREAM, { subjects_filter: '>' });
  return state.subjects ?? {};
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of several operations; their schemas are tested elsewhere
async function get(path: string): Promise<any> {
  return (await fetch(`${api.baseUrl}${path}`)).json();
}

/** As the api lists them, oldest first. */
async function listedTrades(mint: string) {
  const listed: Record<string, string>[] = [];
  for (let cursor = ''; ; ) {
    const { data, page } = await get(`/tokens/${mint}/trades?limit=100${cursor}`);
    listed.push(...data);
    if (page.nextCursor === null) return listed.reverse();
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
  }
}

function asListed({ signature, slot, type, inRaw, outRaw }: ChainSwap) {
  const [solRaw, tokenRaw] = type === 'buy' ? [inRaw, outRaw] : [outRaw, inRaw];
  return {
    transactionSignature: signature,
    slot,
    type,
    solAmount: rawToDecimal(solRaw, 9),
    tokenAmount: rawToDecimal(tokenRaw, 6),
  };
}

/** On the curve, then in the pool that it migrated to. */
function swapsOf(state: MarketState, token: MarketToken): ChainSwap[] {
  const { pool, amm } = state.addressesOf(token);
  return [...curveSwapsOf(chain.ledger, pool), ...ammSwapsOf(chain.ledger, amm.pool)];
}

/** Everything that the events of its pools tell is listed, and nothing else. */
async function expectSameTrades(state: MarketState, token: MarketToken): Promise<void> {
  const { mint } = state.addressesOf(token);
  const onChain = swapsOf(state, token).map(asListed);
  expect(onChain.length).toBeGreaterThan(1);
  await eventually('every swap is a trade', async () => (await listedTrades(mint)).length >= onChain.length);
  const listed = (await listedTrades(mint)).map((trade) =>
    Object.fromEntries(fields.map((field) => [field, trade[field]])),
  );
  expect(listed).toEqual(onChain);
}

async function expectWholeSupply(token: MarketToken, lifecycle: string): Promise<void> {
  const mint = token.mint.publicKey.toBase58();
  const composition = await eventually('the supply of now', async () => {
    const read = await get(`/tokens/${mint}/supply-composition`);
    return read.lifecycle === lifecycle && read;
  });
  expect(composition).toMatchObject({ available: true, reads: 'complete', totalSupply: String(SUPPLY_RAW) });
  const amounts: string[] = composition.buckets.map(({ amount }: { amount: string }) => amount);
  const sum = amounts.reduce((total, amount) => total + BigInt(amount), 0n);
  expect(sum).toBe(SUPPLY_RAW);
}

const graduatedMints = async () => {
  const rows = await stream.db<{ subject: string }[]>`
    select subject from events where type = 'build.service.launch.graduated.v1'`;
  return new Set(rows.map(({ subject }) => subject));
};

const failuresOf = (address: string) =>
  transactionsOf(chain.ledger, address).flatMap(({ errJson }) =>
    errJson === null ? [] : [JSON.parse(errJson).InstructionError?.[1]?.Custom],
  );

test('the market tells the product what tokens there are, and nothing that the chain tells', async () => {
  const { stop, state } = await openMarket();
  stop.abort();
  expect(Object.keys(await toldKinds())).toEqual([ingestSubject('token')]);
  for (const token of state.tokens)
    expect(curveSwapsOf(chain.ledger, state.addressesOf(token).pool).length).toBeGreaterThan(1);
});

test('trades, supply and graduation of its tokens come from the chain, and the next market goes on with the same ones', async () => {
  const { stop, state, market } = await openMarket();
  const indexer = startIndexer(stream, [chain.rpcUrl]);
  const running = market.run(0);
  const pools = state.tokens.map((token) => state.addressesOf(token).pool);
  const graduated = await eventually(
    'a curve completes and graduates, swaps fail',
    async () => {
      const hasFailed = pools.some((pool) => failuresOf(pool).includes(SLIPPAGE_FAILED));
      const mints = await graduatedMints();
      return hasFailed && state.tokens.find(({ mint }) => mints.has(mint.publicKey.toBase58()));
    },
    LIFE_TIMEOUT_MS,
  );
  const { amm } = state.addressesOf(graduated);
  await eventually('trades go on in the pool of the AMM', async () => {
    const landed = transactionsOf(chain.ledger, amm.pool).filter(({ errJson }) => errJson === null);
    return landed.length > 5;
  });
  stop.abort();
  await running;
  for (const token of state.tokens) await expectSameTrades(state, token);
  await expectWholeSupply(graduated, 'graduated');
  for (const kind of ['steady', 'scheduled'])
    for (const token of state.tokens.filter((one) => listingOf(one).curve === kind))
      await expectWholeSupply(token, 'bonding');
  const told = await toldKinds();
  const swaps = state.tokens.flatMap((token) => swapsOf(state, token));
  // Each by the indexer, once.
  expect(told[ingestSubject('trade')]).toBe(swaps.length);
  await indexer.stop();
  expect(await stream.rejections()).toEqual([]);

  const next = await openMarket();
  next.stop.abort();
  expect(next.state.tokens).toEqual(state.tokens);
  const token = await get(`/tokens/${graduated.mint.publicKey.toBase58()}`);
  expect(token).toMatchObject({ status: 'graduated', decimals: 6, totalSupply: '1000000000' });
});

/** A swap from a curve's own event. Amounts are raw. */
interface ChainSwap {
  signature: string;
  slot: string;
  type: 'buy' | 'sell';
  inRaw: bigint;
  outRaw: bigint;
}

const TAGS_BYTES = 16;
/** Enough for every transaction of a test. */
const EVERYTHING = 100_000;

/** Transactions of an address, oldest first, failed ones too. */
function transactionsOf({ history, slot }: Ledger, address: string) {
  const bounds = { before: Number.MAX_SAFE_INTEGER, after: 0, maxSlot: slot, limit: EVERYTHING };
  return history.byAddress(address, bounds).reverse();
}

/** Every swap of a curve's `EvtSwap2`, in chain order, without failed transactions. */
const curveSwapsOf = (ledger: Ledger, pool: string) => landedSwapsOf(ledger, pool, curveSwap);

/** Every swap of a DAMM v2 pool whose token B is SOL. */
const ammSwapsOf = (ledger: Ledger, pool: string) => landedSwapsOf(ledger, pool, ammSwap);

function landedSwapsOf(ledger: Ledger, pool: string, swapOf: typeof curveSwap): ChainSwap[] {
  return transactionsOf(ledger, pool).flatMap(({ signature, slot, errJson }) => {
    const metaJson = ledger.history.bySignature(signature)?.metaJson;
    if (errJson !== null || metaJson === undefined) return [];
    return eventsOf(metaJson)
      .filter((event) => fieldsOf(event).address(0) === pool)
      .map((event) => ({ signature, slot: String(slot), ...swapOf(event) }));
  });
}

function eventsOf(metaJson: string): Buffer[] {
  const meta: { innerInstructions: { instructions: { data: string }[] }[] } = JSON.parse(metaJson);
  const tag = Buffer.from(sighash('event', 'EvtSwap2'));
  return meta.innerInstructions
    .flatMap(({ instructions }) => instructions)
    .map(({ data }) => Buffer.from(bs58.decode(data)))
    .filter((data) => data.subarray(8, TAGS_BYTES).equals(tag))
    .map((data) => data.subarray(TAGS_BYTES));
}

/** The fields of the launch fixtures' README, `EvtSwap2` of the curve. */
function curveSwap(event: Buffer) {
  const fields = fieldsOf(event);
  const type = fields.u8(64) === 1 ? ('buy' as const) : ('sell' as const);
  return { type, inRaw: fields.u64(83), outRaw: fields.u64(107) };
}

/** The fields of DAMM v2's event: the amounts that the trader paid and received. */
function ammSwap(event: Buffer) {
  const fields = fieldsOf(event);
  const type = fields.u8(32) === 1 ? ('buy' as const) : ('sell' as const);
  return { type, inRaw: fields.u64(132), outRaw: fields.u64(148) };
}
