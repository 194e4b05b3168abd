import { beforeAll, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createSyncNativeInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token';
import { PublicKey, SystemProgram } from '@solana/web3.js';
import { curvePlans } from '../../sandbox/market/curve-kinds.ts';
import type { LaunchAddresses } from '../../sandbox/market/launch-addresses.ts';
import { WRAPPED_SOL_MINT } from '../../src/chain/accounts/programs.ts';
import { expectProblem } from '../support/api/problems.ts';
import { interceptNode } from '../support/chain/node-interceptor.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { TradedMarket, type Trader } from '../support/trading/traded-market.ts';

let market: TradedMarket;

beforeAll(async () => {
  market = await TradedMarket.start(() => ({ MAX_COMPUTE_UNIT_PRICE: '1000000' }));
});
beforeEach(() => market.settle());

const refusalOf = async (response: Response) => {
  const { detail, context = {} } = await expectProblem(response, 'swap_refused');
  return { detail, ...context } as Record<string, string>;
};

/** Sets the SOL balance of the wallet. */
function setLamports({ key }: Trader, lamports: bigint): void {
  market.chain.ledger.setAccount(key.walletAddress, {
    lamports,
    owner: '11111111111111111111111111111111',
    data: new Uint8Array(0),
    executable: false,
    rentEpoch: 0n,
  });
  market.settle();
}

/** Wraps these lamports of the wallet: it gets an account of wrapped SOL. */
function wrap({ wallet }: Trader, lamports: bigint): void {
  const { publicKey } = wallet;
  const mint = new PublicKey(WRAPPED_SOL_MINT);
  const account = getAssociatedTokenAddressSync(mint, publicKey);
  market.land(
    [
      createAssociatedTokenAccountIdempotentInstruction(publicKey, account, publicKey, mint),
      SystemProgram.transfer({ fromPubkey: publicKey, toPubkey: account, lamports }),
      createSyncNativeInstruction(account),
    ],
    [wallet],
  );
}

async function bought(token: LaunchAddresses, trader: Trader, lamports: bigint): Promise<bigint> {
  const { intentId, quote } = await market.prepared(token.mint, trader, {
    side: 'buy',
    amountRaw: String(lamports),
  });
  expect(market.landSigned(await market.sign(intentId, trader))).toBeNull();
  return BigInt(quote.outputRaw);
}

describe('a swap that the wallet cannot pay for is refused with what it has and what it needs', () => {
  test.each(['steady', 'scheduled'] as const)('one token too many (%s)', async (kind) => {
    const token = await market.launch(curvePlans[kind]);
    const trader = await market.trader();
    const held = await bought(token, trader, 100_000_000n);
    const sale = (amountRaw: bigint) =>
      market.swap(token.mint, trader, { side: 'sell', amountRaw: String(amountRaw), slippageBps: 1_000 });
    const whole = (raw: bigint) =>
      `${raw / 1_000_000n}.${String(raw % 1_000_000n).padStart(6, '0')}`.replace(/\.?0+$/, '');
    const tooMuch = {
      reason: 'insufficient_funds',
      retry: 'no',
      mintAddress: token.mint,
      haveRaw: String(held),
      needRaw: String(held + 1n),
      detail: `The wallet has ${whole(held)} of the token, and the swap sells ${whole(held + 1n)}. The same request would be refused again.`,
    };
    expect(await refusalOf(await sale(held + 1n))).toEqual(tooMuch);
    // A similar swap was simulated a moment ago, so this one would not be simulated again.
    expect((await sale(held)).status).toBe(201);
    expect(await refusalOf(await sale(held + 1n))).toEqual(tooMuch);
    // Nothing is left to sell, and the balance from before the sale is not used.
    const all = await market.prepared(token.mint, trader, {
      side: 'sell',
      amountRaw: String(held),
      slippageBps: 1_000,
    });
    expect(market.landSigned(await market.sign(all.intentId, trader))).toBeNull();
    expect(await refusalOf(await sale(1_000_000n))).toMatchObject({ haveRaw: '0', needRaw: '1000000' });
  });

  test('a token that the wallet never held', async () => {
    const token = await market.launch();
    const sale = await market.swap(token.mint, await market.trader(), { side: 'sell', amountRaw: '1000000' });
    const { mint: mintAddress } = token;
    const nothing = {
      reason: 'insufficient_funds',
      retry: 'no',
      mintAddress,
      haveRaw: '0',
      needRaw: '1000000',
    };
    expect(await refusalOf(sale)).toMatchObject(nothing);
  });

  test.each([
    ['exact-in', '100000000', '0', null],
    ['exact-in', '100000000', '250000', 0n],
    ['exact-in', '100000000', '0', 250_000_000n],
    ['exact-out', '1000000000000', '1000', null],
  ])(
    'one lamport too little (%s of %s, at a price of %s, with %p wrapped)',
    async (mode, amountRaw, computeUnitPrice, wrapped) => {
      const token = await market.launch();
      const trader = await market.trader();
      if (wrapped !== null) wrap(trader, wrapped);
      const buy = { side: 'buy', mode, amountRaw, computeUnitPrice, slippageBps: 100 };
      setLamports(trader, 5_000_000n);
      const first = await refusalOf(await market.swap(token.mint, trader, buy));
      expect(first).toMatchObject({
        reason: 'insufficient_funds',
        retry: 'no',
        mintAddress: WRAPPED_SOL_MINT,
        haveRaw: '5000000',
      });
      expect(first.detail).toStartWith('The wallet has 0.005 SOL, and the swap needs ');
      const need = BigInt(first.needRaw ?? '');
      setLamports(trader, need - 1n);
      expect(await refusalOf(await market.swap(token.mint, trader, buy))).toMatchObject({
        haveRaw: String(need - 1n),
        needRaw: String(need),
      });
      setLamports(trader, need);
      const { intentId } = await market.prepared(token.mint, trader, buy);
      expect(market.landSigned(await market.sign(intentId, trader))).toBeNull();
    },
  );

  test('no SOL at all, also for a sale', async () => {
    const token = await market.launch();
    const trader = await market.trader();
    const held = await bought(token, trader, 100_000_000n);
    setLamports(trader, 0n);
    const sale = await market.swap(token.mint, trader, { side: 'sell', amountRaw: String(held) });
    expect(await refusalOf(sale)).toMatchObject({ mintAddress: WRAPPED_SOL_MINT, haveRaw: '0' });
  });
});

describe('the balances of a wallet', () => {
  test('are read beside the pool in one request, once for swaps at the same time, and not at all for quotes', async () => {
    const node = interceptNode(market.chain.rpcUrl);
    atEnd(() => node.stop());
    const token = await market.launch();
    const watched = await TradedMarket.over(market.chain, { SOLANA_RPC_URL: node.rpcUrl });
    await watched.list(token.mint, token.pool);
    const trader = await watched.trader();
    const buy = { side: 'buy', amountRaw: '100000000', slippageBps: 500 };
    expect((await watched.swap(token.mint, trader, buy)).status).toBe(201);
    watched.settle();
    node.forget();
    const held = Promise.withResolvers<void>();
    node.held = held.promise;
    const looks = spyOn(watched.api.dependencies.tradingCaches.wallets, 'get');
    const sent = Promise.all([1, 2, 3].map(() => watched.swap(token.mint, trader, buy)));
    await eventually('all look for the wallet', async () => looks.mock.calls.length >= 3);
    looks.mockRestore();
    node.held = null;
    held.resolve();
    const swaps = await sent;
    expect(swaps.map(({ status }) => status)).toEqual([201, 201, 201]);
    // The pool, and the wallet.
    expect(node.seen('getMultipleAccounts')).toBe(2);
    watched.settle();
    node.forget();
    expect((await watched.quote(token.mint, buy)).status).toBe(200);
    expect(node.seen('getMultipleAccounts')).toBe(1);
  });
});

describe('a pool that moved since it was read', () => {
  test('is read again before a swap is refused for it', async () => {
    const token = await market.launch();
    const trader = await market.trader();
    const buy = { side: 'buy', amountRaw: '100000000', slippageBps: 10 };
    const { snapshots } = market.api.dependencies.tradingCaches;
    // It is kept for one slot. A slow machine quotes again.
    const old = await eventually('a pool that is kept', async () => {
      expect((await market.quote(token.mint, buy)).status).toBe(200);
      return snapshots.kept(token.mint);
    });
    await market.buy(token, 5_000_000_000n);
    // As within one slot: the cached pool is older.
    let served = 0;
    const read = snapshots.get.bind(snapshots);
    snapshots.get = async (key, load, callers) => {
      served += 1;
      return served === 1 ? old : read(key, load, callers);
    };
    atEnd(async () => {
      snapshots.get = read;
    });
    const { quote } = await market.prepared(token.mint, trader, buy);
    expect(served).toBe(2);
    expect(BigInt(quote.slot)).toBeGreaterThan(old.clock.slot);
  });
});
