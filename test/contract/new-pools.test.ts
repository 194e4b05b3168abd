import { beforeAll, describe, expect, spyOn, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import { curvePlans } from '../../sandbox/market/curve-kinds.ts';
import { launchAddresses } from '../../sandbox/market/launch-addresses.ts';
import { createConfig } from '../../sandbox/market/pool-instructions.ts';
import { launchInstructions } from '../../sandbox/market/transactions.ts';
import { takePoolSnapshot } from '../../src/features/trading/pool-snapshots.ts';
import { expectProblem } from '../support/api/problems.ts';
import { interceptNode } from '../support/chain/node-interceptor.ts';
import { fundedWallet, insertIntent } from '../support/intents/submitted-intent.ts';
import { insertLaunch } from '../support/launches/insert-launch.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { TradedMarket } from '../support/trading/traded-market.ts';

const buy = { side: 'buy', amountRaw: '100000000', slippageBps: 500 };
const plan = curvePlans.steady;
/** Requests that wait for a pool at the same time: of all, of clients without a key, and of one client. */
const WAITING_MAX = { all: 500, anonymous: 375, each: 50 };

let market: TradedMarket;

beforeAll(async () => {
  market = await TradedMarket.start();
});

/** A token whose config is on chain, and whose pool is created by `create`. */
async function announcedToken() {
  const [operator, config, mint, creator] = [
    await fundedWallet(market.chain.rpcUrl),
    Keypair.generate(),
    Keypair.generate(),
    await fundedWallet(market.chain.rpcUrl),
  ];
  const addresses = launchAddresses(mint.publicKey.toBase58(), config.publicKey.toBase58(), plan);
  const partner = operator.publicKey.toBase58();
  market.land([createConfig(plan, { config: addresses.config, partner })], [operator, config]);
  const texts = { name: 'A token', symbol: 'TOK', uri: 'https://example.org/token.json' };
  const create = () =>
    market.land(launchInstructions(addresses, creator.publicKey.toBase58(), texts, 1_000_000_000n), [
      creator,
      mint,
    ]);
  return { addresses, create };
}

describe('a token that was announced a moment ago', () => {
  test('is quoted and swapped as soon as a node shows its pool, and is not refused in the meantime', async () => {
    const trader = await market.trader();
    const { addresses, create } = await announcedToken();
    await market.list(addresses.mint, addresses.pool);
    const { facts } = market.api.dependencies.tradingCaches;
    const looks = spyOn(facts, 'drop');
    const quote = market.quote(addresses.mint, buy);
    const swap = market.swap(addresses.mint, trader, buy);
    await eventually('both have looked in vain', async () => looks.mock.calls.length >= 2);
    looks.mockRestore();
    create();
    expect((await quote).status).toBe(200);
    expect((await swap).status).toBe(201);
  });

  test('is swapped as soon as the intent of its launch is confirmed, before its record has a pool', async () => {
    const trader = await market.trader();
    const { addresses, create } = await announcedToken();
    const { database } = market.api.dependencies;
    const { accountId } = trader.key;
    const expiresAt = new Date(Date.now() + 60_000);
    const stored = { transaction: Buffer.alloc(100), lastValidBlockHeight: null, expiresAt, now: new Date() };
    const intentId = await insertIntent(database, accountId, stored);
    await insertLaunch(database, {
      accountId,
      intentId,
      mintAddress: addresses.mint,
      poolAddress: addresses.pool,
    });
    // Nobody knows of a launch that has not landed.
    const unsigned = await expectProblem(
      await market.swap(addresses.mint, trader, buy),
      'token_not_tradable',
    );
    expect(unsigned.context).toEqual({ status: 'pending_launch_init', reason: 'not_launched' });
    await database`
      update transaction_intents set status = 'confirmed', completed_at = now(), version = 3,
        transaction_signature = ${'5'.repeat(88)} where id = ${intentId}`;
    const { facts } = market.api.dependencies.tradingCaches;
    const looks = spyOn(facts, 'drop');
    const swap = market.swap(addresses.mint, trader, buy);
    await eventually('it has looked in vain', async () => looks.mock.calls.length >= 2);
    looks.mockRestore();
    create();
    expect((await swap).status).toBe(201);
  });

  test('is never traded in the pool of another token that was known at the same address', async () => {
    const { addresses, create } = await announcedToken();
    create();
    await market.list(addresses.mint, addresses.pool);
    expect((await market.quote(addresses.mint, buy)).status).toBe(200);
    const { database, tradingCaches } = market.api.dependencies;
    const other = Keypair.generate().publicKey.toBase58();
    await database`update tokens set pool_address = null where mint_address = ${addresses.mint}`;
    await market.list(other, addresses.pool);
    await database`update tokens set updated_at = now() - interval '1 minute' where mint_address = ${other}`;
    tradingCaches.tokens.clear();
    const refused = await expectProblem(await market.quote(other, buy), 'token_not_tradable');
    expect(refused.context).toMatchObject({ reason: 'not_launched' });
    const basket = await fetch(`${market.api.baseUrl}/quotes?mints=${other}&side=buy&amountRaw=1000000`);
    expect(await basket.json()).toMatchObject({
      items: [{ quote: null, error: { code: 'token_not_tradable' } }],
    });
  });

  test('is looked up again for every later request', async () => {
    const { addresses, create } = await announcedToken();
    await expectProblem(await market.quote(addresses.mint, buy), 'token_not_found');
    await market.list(addresses.mint, null);
    const none = await expectProblem(await market.quote(addresses.mint, buy), 'token_not_tradable');
    expect(none.context).toMatchObject({ reason: 'not_launched' });
    create();
    await market.list(addresses.mint, addresses.pool);
    expect((await market.quote(addresses.mint, buy)).status).toBe(200);
  });

  test('holds a request only for a short time', async () => {
    const never = Keypair.generate().publicKey.toBase58();
    await market.list(never, Keypair.generate().publicKey.toBase58());
    const problem = await expectProblem(await market.quote(never, buy), 'token_not_tradable');
    expect(problem.context).toMatchObject({ reason: 'not_launched' });
  });

  const { all, anonymous, each } = WAITING_MAX;
  const strangers = (count: number) => Array.from({ length: count }, (_, at) => `stranger ${at % 10}`);
  test.each([
    ['one client', Array.from({ length: each + 3 }, () => 'crowd'), false, 3],
    ['clients without a key', strangers(anonymous + 4), false, 4],
    ['clients with keys', Array.from({ length: all + 5 }, (_, at) => `account ${at % 20}`), true, 5],
    // Requests that have ended do not count.
    ['clients with keys again', Array.from({ length: all }, (_, at) => `account ${at % 20}`), true, 0],
  ])('holds a bounded number of requests of %s', async (_, names, isKeyed, tooMany) => {
    const { addresses, create } = await announcedToken();
    await market.list(addresses.mint, addresses.pool);
    const { facts } = market.api.dependencies.tradingCaches;
    const looks = spyOn(facts, 'drop');
    let refused = 0;
    const snapshots = names.map((name) => {
      const place = market.api.dependencies.gates.quotes.of({ name, isKeyed });
      return takePoolSnapshot(market.api.dependencies, addresses.mint, place).catch((problem: unknown) => {
        expect(problem).toMatchObject({ code: 'token_not_tradable' });
        refused += 1;
      });
    });
    await eventually('all have looked in vain', async () => looks.mock.calls.length >= 2);
    looks.mockRestore();
    create();
    await Promise.all(snapshots);
    expect(refused).toBe(tooMany);
  });

  test('is prepared by a node that has reached the slot at which another node showed its pool', async () => {
    const node = interceptNode(market.chain.rpcUrl);
    atEnd(() => node.stop());
    const watched = await TradedMarket.over(market.chain, { SOLANA_RPC_URL: node.rpcUrl });
    const { addresses, create } = await announcedToken();
    create();
    await watched.list(addresses.mint, addresses.pool);
    const trader = await watched.trader();
    let behind = 2;
    node.answer = (method) => {
      if (method !== 'simulateTransaction' || behind === 0) return null;
      behind -= 1;
      return {
        code: -32_016,
        message: 'Minimum context slot has not been reached',
        data: { contextSlot: 1 },
      };
    };
    expect((await watched.swap(addresses.mint, trader, buy)).status).toBe(201);
    expect(node.seen('simulateTransaction')).toBe(3);
  });

  test('holds no request when its record is older', async () => {
    const node = interceptNode(market.chain.rpcUrl);
    atEnd(() => node.stop());
    const watched = await TradedMarket.over(market.chain, { SOLANA_RPC_URL: node.rpcUrl });
    const never = Keypair.generate().publicKey.toBase58();
    await watched.list(never, Keypair.generate().publicKey.toBase58());
    await watched.api.dependencies.database`
      update tokens set updated_at = now() - interval '1 minute' where mint_address = ${never}`;
    node.forget();
    await expectProblem(await watched.quote(never, buy), 'token_not_tradable');
    expect(node.seen('getMultipleAccounts')).toBe(1);
  });
});
