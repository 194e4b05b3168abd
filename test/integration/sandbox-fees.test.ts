import { beforeAll, beforeEach, expect, test } from 'bun:test';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import { ApiClient } from '../../sandbox/community/api-client.ts';
import type { CommunityContext } from '../../sandbox/community/context.ts';
import { FeeTask } from '../../sandbox/community/fees.ts';
import { accountAddress } from '../../sandbox/community/staking.ts';
import { Feed } from '../../sandbox/market/feed.ts';
import { MarketState, type MarketToken } from '../../sandbox/market/market-state.ts';
import { SolanaRpc } from '../../sandbox/solana-rpc.ts';
import { createAdminDependencies } from '../../src/admin/admin-dependencies.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import {
  type IngestStream,
  openIngestStream,
  tokenMessage,
  tradeMessage,
} from '../support/market/ingest-stream.ts';
import { silentLog, urlOf } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { createTempDir } from '../support/run/temp-dir.ts';

/** What a trade of 150 SOL leaves: a hundredth. */
const FEES_OF_A_TRADE = 1_500_000_000n;

let stream: IngestStream;
let chain: SandboxChain;
let api: TestApi;
let rpc: SolanaRpc;
let context: CommunityContext;
let token: MarketToken;
let trades = 0;

beforeAll(async () => {
  stream = await openIngestStream();
  chain = await startChain({ slotMs: 'manual' });
  atEnd(() => chain.stop());
  rpc = new SolanaRpc(chain.rpcUrl);
  const environment = { DATABASE_URL: urlOf(stream.db), NATS_URL: stream.nats.url };
  api = await startTestApi({ environment });
});

beforeEach(async () => {
  await stream.reset();
  chain.setFaults({});
  const key = await createTestKey(stream.db);
  const market = MarketState.open(join(createTempDir('fees'), 'market.json'), await rpc.genesisHash());
  token = market.add(0);
  const admin = createAdminDependencies(api.config);
  atEnd(() => admin.close());
  context = {
    admin,
    api: new ApiClient(api.baseUrl, key.text),
    feed: new Feed(stream.connection, silentLog, new AbortController().signal),
    rpc,
    market,
    user: Keypair.generate(),
    signal: new AbortController().signal,
    ms: () => 0,
  };
  await rpc.airdrop(market.fees.publicKey.toBase58(), 1_000_000_000_000n);
  await stream.feed('token', tokenMessage(mint()));
  await trade();
});

const mint = () => token.mint.publicKey.toBase58();

/** A trade of now, and enough slots that it counts as settled. */
async function trade(): Promise<void> {
  trades += 1;
  const slot = String(chain.ledger.slot);
  await stream.feed('trade', tradeMessage(mint(), trades, { solAmount: '150', slot }));
  chain.advanceSlots(40);
}

/** A step of the task while blocks go on. */
async function step(task: FeeTask): Promise<void> {
  const blocks = setInterval(() => chain.advanceSlots(1), 5);
  await task.step().finally(() => clearInterval(blocks));
  chain.advanceSlots(40);
}

/** So that the product has everything at each step. */
async function stepSettled(task: FeeTask): Promise<void> {
  await eventually('everything published is applied', stream.isSettled);
  await step(task);
}

async function payouts(): Promise<string[]> {
  const treasury = accountAddress('treasury', context.market.fees.publicKey.toBase58());
  const listed = await rpc.recentTransactions(treasury, 1_000);
  const payers = await Promise.all(listed.map(({ signature }) => rpc.transfersOf(signature)));
  return listed
    .filter((_, at) => payers[at]?.payer === context.market.fees.publicKey.toBase58())
    .map((one) => one.signature);
}

const paidOnChain = async () => {
  const all = await Promise.all((await payouts()).map((signature) => rpc.transfersOf(signature)));
  return all.flatMap(({ transfers }) => transfers).reduce((sum, { lamports }) => sum + lamports, 0n);
};
const state = () => context.api.get<Record<string, string>>(`/tokens/${mint()}/fees`);

test('pays nine tenths of what has accrued, and tells what it paid', async () => {
  const task = new FeeTask(context, token);
  await stream.withWorkers(1, async () => {
    for (let round = 0; round < 4; round += 1) await stepSettled(task);
    await eventually('the payout is reported', async () => (await state()).distributedLamports !== '0');
  });
  const paid = await paidOnChain();
  expect(paid).toBeLessThanOrEqual((FEES_OF_A_TRADE * 99n) / 100n);
  expect(await state()).toMatchObject({
    accruedLamports: String(FEES_OF_A_TRADE),
    distributedLamports: String(paid),
  });
});

test('neither pays nor tells anything while the worker lags, however long, and loses no fees by it', async () => {
  const task = new FeeTask(context, token);
  await stream.withWorkers(1, async () => {
    for (let round = 0; round < 3; round += 1) await stepSettled(task);
  });
  await trade();
  // What was settled at the step before may still be told.
  await step(task);
  const before = { payouts: await payouts(), sequence: await context.feed.lastSequence() };
  expect(before.payouts.length).toBeGreaterThan(0);
  for (let round = 0; round < 10; round += 1) await step(task);
  expect(await payouts()).toEqual(before.payouts);
  expect(await context.feed.lastSequence()).toBe(before.sequence);
  await stream.withWorkers(1, async () => {
    for (let round = 0; round < 4; round += 1) await stepSettled(task);
    await eventually('all is applied', stream.isSettled);
  });
  expect(await state()).toMatchObject({
    accruedLamports: String(2n * FEES_OF_A_TRADE),
    distributedLamports: String(await paidOnChain()),
  });
  expect(await paidOnChain()).toBeLessThan(2n * FEES_OF_A_TRADE);
  expect(await stream.rejections()).toEqual([]);
});

/** Ends as a killed process does: the first payment of a payout is never published. */
class DyingFeed extends Feed {
  override publish(...[kind, message, id]: Parameters<Feed['publish']>): Promise<void> {
    if (kind === 'fee_distribution') return Promise.reject(new Error('killed'));
    return super.publish(kind, message, id);
  }
}

test('a payout that landed while its task was killed is reported by the next one, and not paid again', async () => {
  const feed = new DyingFeed(stream.connection, silentLog, context.signal);
  const killed = new FeeTask({ ...context, feed }, token);
  await stream.withWorkers(1, async () => {
    await stepSettled(killed);
    await eventually('everything published is applied', stream.isSettled);
    await expect(step(killed)).rejects.toThrow('killed');
    const [only, ...more] = await payouts();
    expect(more).toEqual([]);
    const next = new FeeTask(context, token);
    for (let round = 0; round < 3; round += 1) await stepSettled(next);
    await eventually('all is applied', stream.isSettled);
    expect((await payouts()).at(-1)).toBe(only);
    expect((await state()).distributedLamports).toBe(String(await paidOnChain()));
    expect(await paidOnChain()).toBeLessThan(FEES_OF_A_TRADE);
  });
});

test('tells no claim below zero when more was paid than has accrued', async () => {
  await stream.withWorkers(1, async () => {
    const observed = { mintAddress: mint(), slot: '1', asOf: new Date().toISOString() };
    const feeBps = { creator: 5_000, platform: 2_000, stakers: 3_000 };
    await stream.feed('fee_state', { ...observed, feeBps, accruedLamports: '0' });
    await stream.feed('fee_distribution', {
      mintAddress: mint(),
      recipientWallet: mint(),
      role: 'creator',
      amountLamports: '900000000000',
      transactionSignature: '1'.repeat(64),
      instructionIndex: 0,
      slot: '1',
      distributedAt: observed.asOf,
    });
    const task = new FeeTask(context, token);
    for (let round = 0; round < 3; round += 1) await stepSettled(task);
    await eventually('all is applied', stream.isSettled);
  });
  expect(await stream.rejections()).toEqual([]);
  expect(await payouts()).toEqual([]);
  expect(await state()).toMatchObject({ claimableLamports: '0', accruedLamports: String(FEES_OF_A_TRADE) });
});
