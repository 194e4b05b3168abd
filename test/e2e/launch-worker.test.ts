import { beforeAll, expect, test } from 'bun:test';
import { Keypair, SystemProgram, Transaction } from '@solana/web3.js';
import type { RunningChild } from '../../sandbox/services/child-process.ts';
import { WRAPPED_SOL_MINT } from '../../src/chain/accounts/programs.ts';
import { rawToDecimal } from '../../src/shared/decimal.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { type LaunchStage, signIntent, startLaunchStage } from '../support/launches/launch-stage.ts';
import { createWorkerStage, type WorkerStage } from '../support/processes/worker-stage.ts';
import { eventually } from '../support/run/eventually.ts';

const FEE_LAMPORTS = 5_000n;
/** A blockhash is valid for this many blocks: twelve seconds of the chain's slots of 300 ms. */
const WINDOW_BLOCKS = 40;

let launches: LaunchStage;
let stage: WorkerStage;
let api: TestApi;
let worker: RunningChild;
let requests = 0;

beforeAll(async () => {
  launches = await startLaunchStage({ slotMs: 300, blockhashWindow: WINDOW_BLOCKS });
  stage = await createWorkerStage({ SOLANA_RPC_URL: launches.chain.rpcUrl });
  worker = await stage.startWorker();
  api = await startTestApi({
    environment: { ...stage.environment, LAUNCH_CURVE_CONFIG: launches.config },
  });
  await eventually('the head of the chain', async () => api.dependencies.chainHead.current());
});

interface Creator {
  wallet: Keypair;
  key: TestKey;
}

async function newCreator(): Promise<Creator> {
  const wallet = await launches.fundedWallet();
  return { wallet, key: await createTestKey(stage.db, { walletAddress: wallet.publicKey.toBase58() }) };
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of several operations; their schemas are tested elsewhere
async function get(path: string, key?: TestKey): Promise<any> {
  return (await fetch(`${api.baseUrl}${path}`, key === undefined ? {} : { headers: key.header })).json();
}

async function post(path: string, key: TestKey, body: unknown, headers: Record<string, string> = {}) {
  requests += 1;
  const response = await fetch(`${api.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      ...key.header,
      'content-type': 'application/json',
      'idempotency-key': `launch-worker-${requests}`,
      ...headers,
    },
    body: JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: as above
  return { status: response.status, body: (await response.json()) as any };
}

async function launch({ key }: Creator, more: Record<string, unknown> = {}) {
  const { status, body } = await post('/launches', key, { name: 'Copper Wire', symbol: 'COPPER', ...more });
  expect([status, body.code]).toEqual([201, undefined]);
  return body;
}

async function signed(launched: { intentId: string }, { wallet, key }: Creator): Promise<string> {
  const { serializedTransaction } = await get(`/transaction-intents/${launched.intentId}`, key);
  return signIntent(serializedTransaction, wallet);
}

async function submit(launched: { intentId: string }, creator: Creator): Promise<void> {
  const path = `/transaction-intents/${launched.intentId}/submissions`;
  const body = { signedTransaction: await signed(launched, creator) };
  expect((await post(path, creator.key, body, { 'if-match': '"1"' })).status).toBe(202);
}

/** Shortens the window to that of this chain. The service assumes at least the window of a public cluster. */
async function endWithTheChain({ intentId }: { intentId: string }): Promise<void> {
  const lastValid = (await launches.rpc.blockHeight()) + BigInt(WINDOW_BLOCKS);
  await stage.db`update transaction_intents set last_valid_block_height = ${lastValid} where id = ${intentId}`;
}

async function ended(id: string, { key }: Creator) {
  return eventually('the launch has ended', async () => {
    const read = await get(`/launches/${id}`, key);
    return read.status !== 'pending_launch_init' && read;
  });
}

async function launchEvents(mint: string): Promise<string[]> {
  const rows = await stage.db<
    { type: string }[]
  >`select type from events where subject = ${mint} order by recorded_in, id`;
  return rows.map(({ type }) => type);
}

/** `pool` of the event that announced the token. */
async function announcedPool(mint: string) {
  const [row] = await stage.db<{ body: string }[]>`
    select body from events where subject = ${mint} and type = 'build.service.launch.created.v1'`;
  return JSON.parse(row?.body ?? '').data.pool;
}

const isListed = async (mint: string) =>
  (await get('/tokens?limit=100')).data.some(
    ({ mintAddress }: { mintAddress: string }) => mintAddress === mint,
  );

test('signed and submitted, the token is bonding with its pool, its price and the first trade to the last unit', async () => {
  const creator = await newCreator();
  const launched = await launch(creator, { initialBuy: { amountRaw: '250000000' } });
  await submit(launched, creator);
  const done = await ended(launched.id, creator);
  expect(done).toMatchObject({ status: 'bonding', error: null });
  expect(await launches.rpc.accountExists(done.poolAddress)).toBe(true);
  expect(await launchEvents(launched.mintAddress)).toEqual(['build.service.launch.created.v1']);
  // The event shows the pool after the first buy, so its quotes hold at once.
  const pool = await announcedPool(launched.mintAddress);
  expect(pool).toMatchObject({ poolAddress: done.poolAddress, quoteMint: WRAPPED_SOL_MINT });
  expect(BigInt(pool.quoteReserveRaw)).toBeGreaterThan(240_000_000n);
  const quote = await get(`/tokens/${launched.mintAddress}/quote?side=buy&amountRaw=1000000`);
  expect(quote).toMatchObject({ spotPriceInSol: pool.spotPriceInSol, poolAddress: pool.poolAddress });
  const [trade] = await eventually('the first trade', async () => {
    const { data } = await get(`/tokens/${launched.mintAddress}/trades`);
    return data.length > 0 && data;
  });
  expect(trade).toMatchObject({
    type: 'buy',
    traderWallet: creator.key.walletAddress,
    solAmount: '0.25',
    tokenAmount: rawToDecimal(BigInt(launched.initialBuy.amountOutRaw), 6),
    transactionSignature: done.transactionSignature,
  });
  const token = await eventually('the token is shown as it is', async () => {
    const read = await get(`/tokens/${launched.mintAddress}`);
    return read.status === 'bonding' && read.currentPriceInSol !== null && read;
  });
  expect(Date.parse(token.launchedAt)).toBeLessThanOrEqual(Date.parse(done.completedAt));
  await eventually('it is listed', () => isListed(launched.mintAddress));
});

test('a worker that is killed in between is replaced by one that finishes, with one event', async () => {
  const creator = await newCreator();
  const launched = await launch(creator);
  await submit(launched, creator);
  await worker.kill();
  worker = await stage.startWorker();
  expect(await ended(launched.id, creator)).toMatchObject({ status: 'bonding' });
  expect(await launchEvents(launched.mintAddress)).toEqual(['build.service.launch.created.v1']);
});

test('one that fails on chain is failed, with the reason', async () => {
  const creator = await newCreator();
  const launched = await launch(creator, { initialBuy: { amountRaw: '250000000' } });
  const { wallet } = creator;
  const balance = await launches.rpc.balanceLamports(wallet.publicKey.toBase58());
  const { blockhash } = await launches.rpc.latestBlockhash();
  const drain = new Transaction({ feePayer: wallet.publicKey, recentBlockhash: blockhash }).add(
    SystemProgram.transfer({
      fromPubkey: wallet.publicKey,
      toPubkey: Keypair.generate().publicKey,
      lamports: balance - FEE_LAMPORTS - 5_000_000n,
    }),
  );
  drain.sign(wallet);
  await launches.rpc.sendChecked(drain.serialize());
  await eventually(
    'the wallet is nearly empty',
    async () => (await launches.rpc.balanceLamports(wallet.publicKey.toBase58())) < 10_000_000n,
  );
  await submit(launched, creator);
  expect(await ended(launched.id, creator)).toMatchObject({
    status: 'failed',
    poolAddress: null,
    error: { code: 'solana_transaction_failed' },
  });
  expect(await get(`/tokens/${launched.mintAddress}`)).toMatchObject({
    status: 'failed',
    launchedAt: null,
  });
  expect(await launchEvents(launched.mintAddress)).toEqual(['build.service.launch.failed.v1']);
});

// Both tests wait for the window to close.
test.concurrent('an unsigned one expires, without a public event', async () => {
  const creator = await newCreator();
  const launched = await launch(creator);
  await endWithTheChain(launched);
  expect(await ended(launched.id, creator)).toMatchObject({ status: 'expired', poolAddress: null });
  expect(await launchEvents(launched.mintAddress)).toEqual([]);
  expect(await get(`/tokens/${launched.mintAddress}`)).toMatchObject({ status: 'expired' });
  expect(await isListed(launched.mintAddress)).toBe(false);
});

test.concurrent('one that the wallet sends by itself is bonding although its intent expires', async () => {
  const creator = await newCreator();
  const launched = await launch(creator);
  await endWithTheChain(launched);
  await launches.rpc.send(Buffer.from(await signed(launched, creator), 'base64'));
  const done = await ended(launched.id, creator);
  expect(done).toMatchObject({ status: 'bonding', error: null });
  expect(await get(`/transaction-intents/${launched.intentId}`, creator.key)).toMatchObject({
    status: 'expired',
  });
  expect(await launchEvents(launched.mintAddress)).toEqual(['build.service.launch.created.v1']);
  await eventually('it is listed', () => isListed(launched.mintAddress));
});
