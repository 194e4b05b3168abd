import { beforeAll, expect, test } from 'bun:test';
import {
  Connection,
  Keypair,
  SystemInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { startTestApi } from '../support/api/api.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { expectProblem } from '../support/api/problems.ts';
import { type LaunchStage, startLaunchStage } from '../support/launches/launch-stage.ts';
import { eventually } from '../support/run/eventually.ts';
import { TradedMarket } from '../support/trading/traded-market.ts';

const TIP_LAMPORTS = 1_000_000;
const accounts = [Keypair.generate(), Keypair.generate()].map(({ publicKey }) => publicKey.toBase58());
const tipping = { TIP_LAMPORTS: String(TIP_LAMPORTS), TIP_ACCOUNTS: accounts.join() };
const buy = { side: 'buy', amountRaw: '10000000', simulate: true };
let market: TradedMarket;

beforeAll(async () => {
  market = await TradedMarket.start(() => tipping);
});

/** The last instruction of a transaction: a transfer, or it throws. */
function lastTransfer(serializedTransaction: string) {
  const { message } = VersionedTransaction.deserialize(Buffer.from(serializedTransaction, 'base64'));
  const last = TransactionMessage.decompile(message).instructions.at(-1);
  if (last === undefined) throw new Error('no instruction');
  const { fromPubkey, toPubkey, lamports } = SystemInstruction.decodeTransfer(last);
  return { from: fromPubkey.toBase58(), to: toPubkey.toBase58(), lamports: Number(lamports) };
}

const signIntent = (serializedTransaction: string, wallet: Keypair) => {
  const transaction = VersionedTransaction.deserialize(Buffer.from(serializedTransaction, 'base64'));
  transaction.sign([wallet]);
  return transaction.serialize();
};

test('a swap pays the configured accounts in turn, shows the tip, and lands with it', async () => {
  const token = await market.launch();
  const trader = await market.trader();
  const from = trader.key.walletAddress;
  const tipped: string[] = [];
  for (const version of ['v0', 'legacy']) {
    market.settle();
    const swap = await market.freshlyPrepared(token.mint, trader, { ...buy, transactionVersion: version });
    expect(swap).toMatchObject({ tipLamports: String(TIP_LAMPORTS) });
    const intent = await market.intent(swap.intentId, trader);
    const tip = lastTransfer(intent.serializedTransaction);
    expect(tip).toMatchObject({ from, lamports: TIP_LAMPORTS });
    tipped.push(tip.to);
    const signed = signIntent(intent.serializedTransaction, trader.wallet);
    expect((await market.submit(swap.intentId, trader, signed)).status).toBe(202);
    await market.api.dependencies.firstBroadcaster.drain();
  }
  expect(tipped.toSorted()).toEqual(accounts.toSorted());
  market.settle();
  const { ledger } = market.chain;
  const balances = accounts.map((account) => ledger.accountAt(account, ledger.slot)?.lamports);
  expect(balances.map(Number)).toEqual([TIP_LAMPORTS, TIP_LAMPORTS]);
});

test('the simulation counts the tip: a wallet that cannot pay it is refused', async () => {
  const expensive = await TradedMarket.over(market.chain, { ...tipping, TIP_LAMPORTS: '1000000000' });
  const token = await expensive.launch();
  const wallet = Keypair.generate();
  const connection = new Connection(market.chain.rpcUrl, 'processed');
  // Enough for the swap alone.
  await connection.requestAirdrop(wallet.publicKey, 500_000_000);
  market.settle();
  const walletAddress = wallet.publicKey.toBase58();
  const traderOf = async ({ api }: TradedMarket) => ({
    wallet,
    key: await createTestKey(api.dependencies.database, { walletAddress }),
  });
  const refused = await expensive.swap(token.mint, await traderOf(expensive), buy);
  const problem = await expectProblem(refused, 'swap_refused');
  expect(problem.context).toMatchObject({ reason: 'insufficient_funds', haveRaw: '500000000' });
  expect(Number(problem.context?.needRaw)).toBeGreaterThan(1_000_000_000);
  await market.list(token.mint, token.pool);
  await market.prepared(token.mint, await traderOf(market), buy);
});

test('without a configured tip a swap pays none', async () => {
  const plain = await TradedMarket.over(market.chain, {});
  const token = await plain.launch();
  const swap = await plain.prepared(token.mint, await plain.trader(), buy);
  expect(swap).toMatchObject({ tipLamports: '0' });
});

test('a launch with the longest texts and a first buy has room for the tip, and shows it', async () => {
  const stage: LaunchStage = await startLaunchStage();
  const publicUrl = `https://${'a'.repeat(60)}.${'b'.repeat(60)}.example`;
  const api = await startTestApi({
    environment: {
      ...tipping,
      SOLANA_RPC_URL: stage.chain.rpcUrl,
      LAUNCH_CURVE_CONFIG: stage.config,
      PUBLIC_URL: publicUrl.padEnd(140, 'e'),
    },
  });
  await eventually('the head of the chain', async () => api.dependencies.chainHead.current());
  const wallet = await stage.fundedWallet();
  const walletAddress = wallet.publicKey.toBase58();
  const key = await createTestKey(api.dependencies.database, { walletAddress });
  const response = await fetch(`${api.baseUrl}/launches`, {
    method: 'POST',
    headers: { ...key.header, 'content-type': 'application/json', 'idempotency-key': 'tipped-launch-1' },
    body: JSON.stringify({
      name: 'N'.repeat(32),
      symbol: 'S'.repeat(10),
      initialBuy: { amountRaw: '1000000' },
    }),
  });
  const launch = (await response.json()) as { id: string; intentId: string };
  expect({ status: response.status, launch }).toMatchObject({
    status: 201,
    launch: { tipLamports: String(TIP_LAMPORTS) },
  });
  const get = async (path: string) =>
    (await (await fetch(`${api.baseUrl}${path}`, { headers: key.header })).json()) as Record<string, string>;
  expect(await get(`/launches/${launch.id}`)).toMatchObject({ tipLamports: String(TIP_LAMPORTS) });
  const { serializedTransaction = '' } = await get(`/transaction-intents/${launch.intentId}`);
  expect(lastTransfer(serializedTransaction)).toMatchObject({ from: walletAddress, lamports: TIP_LAMPORTS });
});
