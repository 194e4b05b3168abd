import { beforeAll, expect, test } from 'bun:test';
import {
  createClient,
  type Launchwire,
  type Schemas,
  secretKeySigner,
  type TransactionSigner,
} from 'launchwire';
import { startChain } from '../../sandbox/chain/server.ts';
import type { RunningChild } from '../../sandbox/services/child-process.ts';
import { createWorkerStage, type WorkerStage } from '../support/processes/worker-stage.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { TradedMarket } from '../support/trading/traded-market.ts';

const SOL = 1_000_000_000n;
/** What moves the price of a young curve by some percent. */
const MUCH = 4n * SOL;

let stage: WorkerStage;
let market: TradedMarket;
let worker: RunningChild;

beforeAll(async () => {
  const chain = await startChain({ slotMs: 300 });
  atEnd(() => chain.stop());
  stage = await createWorkerStage({ SOLANA_RPC_URL: chain.rpcUrl });
  worker = await stage.startWorker();
  market = await TradedMarket.over(chain, { ...stage.environment }, stage.database);
});

interface Owner {
  client: Launchwire;
  signer: TransactionSigner;
  /** What it has bought, raw units. */
  heldRaw: bigint;
}

/** A wallet that holds some of a token. */
async function owner(mint: string): Promise<Owner> {
  const { wallet, key } = await market.trader();
  const signer = await secretKeySigner(wallet);
  const client = createClient({ baseUrl: market.api.origin, apiKey: key.text });
  const order = { mint, side: 'buy', amountRaw: String(SOL), slippageBps: 5_000 } as const;
  const { intent } = await client.swap(order, signer, { attempts: 3 });
  const { landed } = await client.waitForLanding(intent.id);
  return { client, signer, heldRaw: BigInt(landed?.outputRaw ?? 0) };
}

async function priceOf({ client }: Owner, mint: string): Promise<string> {
  return (await client.getSwapQuote({ mint, side: 'buy', amountRaw: '1000000' })).spotPriceInSol;
}

const part = (price: string, percent: number) =>
  ((Number(price) * percent) / 100).toFixed(15).replace(/\.?0+$/, '');

/** The events of an order, oldest first. */
async function eventsOf(orderId: string): Promise<string[]> {
  const rows = await stage.db<{ type: string }[]>`
    select type from events where subject = ${orderId} order by id`;
  return rows.map(({ type }) => type.replace('build.service.order.', '').replace('.v1', ''));
}

async function balanceOf({ client, signer: { address } }: Owner, mint: string): Promise<bigint> {
  const { data } = await client.listWalletHoldings({ address });
  return BigInt(data.find(({ mintAddress }) => mintAddress === mint)?.amountRaw ?? 0);
}

test('an order lands when a trade crosses its price, with what triggered it and what it did', async () => {
  const token = await market.launch();
  const { mint } = token;
  const seller = await owner(mint);
  const { client, signer, heldRaw } = seller;
  const slot = await client.openSlot({}, signer);
  const price = part(await priceOf(seller, mint), 102);
  const terms = {
    slotId: slot.id,
    mint,
    side: 'sell',
    amountRaw: String(heldRaw / 2n),
    slippageBps: 5_000,
  } as const;
  const order = await client.placeOrder({ ...terms, trigger: { price, when: 'at_or_above' } }, signer);
  expect(order).toMatchObject({ status: 'open', trigger: { price, when: 'at_or_above', of: 'spot' } });
  expect(order.transactions.map(({ venue, signed }) => [venue, signed])).toEqual([
    ['curve', true],
    ['amm', true],
  ]);
  const landing = client.waitForOrder(order.id);
  await market.buy(token, MUCH);
  const landed = await landing;
  expect(landed).toMatchObject({ status: 'landed', reason: null, intentId: order.transactions[0]?.id });
  const { triggeredBy, intentId } = landed;
  const { data: trades } = await client.listTokenTrades({ mint });
  const crossing = trades.find(({ id }) => id === triggeredBy?.tradeId);
  expect(Number(crossing?.spotPriceInSol)).toBeGreaterThanOrEqual(Number(price));
  expect(crossing?.spotPriceInSol).toBe(triggeredBy?.price ?? '');
  expect(await eventsOf(order.id)).toEqual(['opened', 'triggered', 'landed']);
  const intent = await client.waitForLanding(intentId ?? '');
  expect(intent).toMatchObject({ kind: 'order', status: 'confirmed' });
  expect(intent.landed?.inputRaw).toBe(terms.amountRaw);
  expect((await client.getOrder({ orderId: order.id })).landed).toEqual(intent.landed);
});

test('no trade of a stranger for some lamports fires an order, ends one, or moves the statistics of its token', async () => {
  const { mint } = await market.launch();
  const [victim, stranger] = [await owner(mint), await owner(mint)];
  const { client, signer, heldRaw } = victim;
  const slot = await client.openSlot({}, signer);
  const price = await priceOf(victim, mint);
  const terms = {
    slotId: slot.id,
    mint,
    side: 'sell',
    amountRaw: String(heldRaw),
    limitRaw: '1',
    oco: 'exit',
  } as const;
  const place = (percent: number, when: 'at_or_above' | 'at_or_below', of: 'trade' | 'spot') =>
    client.placeOrder({ ...terms, trigger: { price: part(price, percent), when, of } }, signer);
  const orders = await Promise.all(
    (['trade', 'spot'] as const).flatMap((of) => [
      place(300, 'at_or_above', of),
      place(180, 'at_or_above', of),
      place(60, 'at_or_below', of),
    ]),
  );
  // One raw unit for 2 lamports, two lamports with one of them as the fee, and sales that get one lamport.
  const dust = [
    { side: 'buy', mode: 'exact-out', amountRaw: '1' },
    { side: 'buy', amountRaw: '2' },
    { side: 'sell', amountRaw: '63619' },
    { side: 'sell', amountRaw: '91568' },
  ] as const;
  const bare = { mint, slippageBps: 10_000 };
  for (const one of dust) {
    const { intent } = await stranger.client.swap({ ...bare, ...one }, stranger.signer, { attempts: 3 });
    await client.waitForTrade({ mint, transactionSignature: intent.transactionSignature ?? '' });
  }
  const { data: trades } = await client.listTokenTrades({ mint });
  const paid = trades.slice(0, dust.length).map(({ pricePerTokenInSol }) => Number(pricePerTokenInSol));
  expect(Math.max(...paid)).toBeGreaterThan(1_000 * Number(price));
  expect(Math.min(...paid)).toBeLessThan(0.6 * Number(price));
  for (const { id } of orders)
    expect(await client.getOrder({ orderId: id })).toMatchObject({
      status: 'open',
      attempts: 0,
      triggeredBy: null,
    });
  const { windows } = await client.getTokenStats({ mint });
  const extremes = [windows['1h'].low, windows['1h'].high].map(Number);
  expect(Math.min(...extremes)).toBeGreaterThan(0.5 * Number(price));
  expect(Math.max(...extremes)).toBeLessThan(1.5 * Number(price));
});

test('of a take profit and a stop loss over one slot the first lands, and the other can never land', async () => {
  const token = await market.launch();
  const { mint } = token;
  const seller = await owner(mint);
  const { client, signer, heldRaw } = seller;
  const slot = await client.openSlot({}, signer);
  const price = await priceOf(seller, mint);
  const terms = {
    slotId: slot.id,
    mint,
    side: 'sell',
    amountRaw: String(heldRaw),
    slippageBps: 5_000,
  } as const;
  const place = (percent: number, when: 'at_or_above' | 'at_or_below') =>
    client.placeOrder({ ...terms, oco: 'exit', trigger: { price: part(price, percent), when } }, signer);
  const orders = [await place(102, 'at_or_above'), await place(50, 'at_or_below')];
  await market.buy(token, MUCH);
  const [profit, loss] = await Promise.all(orders.map(({ id }) => client.waitForOrder(id)));
  expect(profit).toMatchObject({ status: 'landed' });
  expect(loss).toMatchObject({ status: 'cancelled', reason: 'other_landed', intentId: null });
  expect(await eventsOf(loss?.id ?? '')).toEqual(['opened', 'cancelled']);
  await client.waitForLanding(profit?.intentId ?? '');
  // Both would have sold everything.
  expect(await balanceOf(seller, mint)).toBe(0n);
});

test('a withdrawal that landed has ended the other order of the slot before its caller knows', async () => {
  const { mint } = await market.launch();
  const { client, signer } = await owner(mint);
  const slot = await client.openSlot({}, signer);
  const terms = {
    slotId: slot.id,
    mint,
    side: 'sell',
    amountRaw: '1000000',
    limitRaw: '1',
    oco: 'exit',
  } as const;
  const place = (price: string, when: 'at_or_above' | 'at_or_below') =>
    client.placeOrder({ ...terms, trigger: { price, when } }, signer);
  const profit = await place('1000', 'at_or_above');
  const loss = await place('0.000000000001', 'at_or_below');
  await client.withdrawOrder({ orderId: profit.id }, signer);
  const ended = await client.getOrder({ orderId: loss.id });
  expect(ended).toMatchObject({ status: 'voided', reason: 'withdrawn', intentId: null });
  expect(await eventsOf(loss.id)).toEqual(['opened', 'voided']);
});

/** The last trade of a curve pays less than 15 times its first price. */
const BEYOND_THE_CURVE = 1_700;

test('an order outlives the migration when it was signed for the pool, and ends with the curve otherwise', async () => {
  const token = await market.launch();
  const { mint } = token;
  const seller = await owner(mint);
  const { client, signer, heldRaw } = seller;
  const price = part(await priceOf(seller, mint), BEYOND_THE_CURVE);
  const terms = { mint, side: 'sell', amountRaw: String(heldRaw / 4n), limitRaw: '1' } as const;
  const place = async (outlivesMigration: boolean) => {
    const slot = await client.openSlot({}, signer);
    return client.placeOrder({ ...terms, slotId: slot.id, trigger: { price, when: 'at_or_above' } }, signer, {
      outlivesMigration,
    });
  };
  const [living, ending] = [await place(true), await place(false)];
  await market.complete(token);
  market.migrate(token);
  expect(await client.waitForOrder(ending.id)).toMatchObject({ status: 'voided', reason: 'migrated' });
  expect(await client.getOrder({ orderId: living.id })).toMatchObject({ status: 'open' });
  await market.buy(token, 30n * SOL, { isMigrated: true });
  const landed = await client.waitForOrder(living.id);
  expect(landed).toMatchObject({ status: 'landed', intentId: living.transactions[1]?.id });
  expect(living.transactions[1]?.venue).toBe('amm');
});

test('orders that trigger while workers are killed land, each once', async () => {
  const token = await market.launch();
  const { mint } = token;
  const seller = await owner(mint);
  const { client, signer, heldRaw } = seller;
  const price = await priceOf(seller, mint);
  const orders: Schemas['Order'][] = [];
  for (const percent of [101, 102, 103]) {
    const slot = await client.openSlot({}, signer);
    const terms = {
      slotId: slot.id,
      mint,
      side: 'sell',
      amountRaw: String(heldRaw / 4n),
      slippageBps: 5_000,
    } as const;
    orders.push(
      await client.placeOrder(
        { ...terms, trigger: { price: part(price, percent), when: 'at_or_above' } },
        signer,
      ),
    );
  }
  const ids = orders.map(({ id }) => id);
  const areIn = (...statuses: string[]) =>
    eventually(`an order is ${statuses}`, async () => {
      const [row] =
        await stage.db`select from orders where id = any(${ids}::uuid[]) and status = any(${statuses}::text[])`;
      return row !== undefined;
    });
  // Nobody sees the trade, then a worker is killed as soon as it has triggered, and another when one was sent.
  await worker.kill();
  await market.buy(token, MUCH);
  worker = await stage.startWorker();
  // On a busy machine the look may come after the landing.
  await areIn('triggered', 'landed');
  await worker.kill();
  worker = await stage.startWorker();
  await eventually('one was sent', async () => {
    const sent = await stage.db`select from orders where id = any(${ids}::uuid[]) and intent_id is not null`;
    return sent.length > 0;
  });
  await worker.kill();
  worker = await stage.startWorker();
  const landed = await Promise.all(ids.map((id) => client.waitForOrder(id)));
  expect(landed.map(({ status }) => status)).toEqual(['landed', 'landed', 'landed']);
  for (const id of ids) expect(await eventsOf(id)).toEqual(['opened', 'triggered', 'landed']);
  for (const { intentId } of landed) await client.waitForLanding(intentId ?? '');
  expect(await balanceOf(seller, mint)).toBe(heldRaw - 3n * (heldRaw / 4n));
});
