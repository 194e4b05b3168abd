import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import { startChain } from '../../sandbox/chain/server.ts';
import { parseTransaction } from '../../sandbox/chain/wire-transaction.ts';
import { curvePlans } from '../../sandbox/market/curve-kinds.ts';
import { type LaunchAddresses, tokenAccountOf } from '../../sandbox/market/launch-addresses.ts';
import { SPL_TOKEN } from '../../src/chain/accounts/programs.ts';
import { decodeAddress } from '../../src/shared/address.ts';
import { expectProblem } from '../support/api/problems.ts';
import { fundedWallet } from '../support/intents/submitted-intent.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { registerFeeAccount } from '../support/trading/fee-account.ts';
import { type LyingNode, startLyingNode } from '../support/trading/lying-node.ts';
import { TradedMarket, type Trader } from '../support/trading/traded-market.ts';

let market: TradedMarket;
let node: LyingNode;
let trader: Trader;
let token: LaunchAddresses;
let feeAccount: string;

beforeAll(async () => {
  const chain = await startChain({ slotMs: 'manual' });
  atEnd(() => chain.stop());
  node = startLyingNode(() => chain.rpcUrl);
  market = await TradedMarket.over(chain, { SOLANA_RPC_URL: node.rpcUrl });
  trader = await market.trader();
  token = await market.launch(curvePlans.steady);
  feeAccount = (await fundedWallet(chain.rpcUrl)).publicKey.toBase58();
});
beforeEach(() => market.settle());

const wallet = Keypair.generate().publicKey.toBase58();
const heldBy = ({ key }: Trader) => market.held(tokenAccountOf(key.walletAddress, token.mint, SPL_TOKEN));
const inQuote = (query: Record<string, string | number>) => market.quote(token.mint, query);

async function buys(wallet: Trader, amountRaw: string): Promise<void> {
  const { intentId } = await market.freshlyPrepared(token.mint, wallet, { side: 'buy', amountRaw });
  expect(market.landSigned(await market.sign(intentId, wallet))).toBeNull();
}

describe('a share of the wallet’s tokens', () => {
  test('is sold to the unit, rounded down, and the response names balance and amount', async () => {
    await buys(trader, '100000007');
    const held = heldBy(trader);
    const order = { side: 'sell', amountBps: 3_333 };
    const { intentId, quote } = await market.prepared(token.mint, trader, order);
    const amountRaw = (held * 3_333n) / 10_000n;
    expect(quote).toMatchObject({
      amountBps: 3_333,
      walletBalanceRaw: String(held),
      inputRaw: String(amountRaw),
    });
    expect(market.landSigned(await market.sign(intentId, trader))).toBeNull();
    expect(heldBy(trader)).toBe(held - amountRaw);
  });

  test('of everything leaves nothing', async () => {
    await buys(trader, '100000000');
    const { intentId } = await market.freshlyPrepared(token.mint, trader, {
      side: 'sell',
      amountBps: 10_000,
    });
    expect(market.landSigned(await market.sign(intentId, trader))).toBeNull();
    expect(heldBy(trader)).toBe(0n);
  });

  test('is of the balance in the slot of the quote: of one request, and never of an earlier one', async () => {
    await buys(trader, '50000000');
    const sells = { side: 'sell', amountBps: 10_000 };
    await market.prepared(token.mint, trader, { side: 'sell', amountRaw: '1000000' });
    const bought = await market.freshlyPrepared(token.mint, trader, { side: 'buy', amountRaw: '30000000' });
    const bytes = await market.sign(bought.intentId, trader);
    expect(market.chain.ledger.land(parseTransaction(bytes)).err).toBeNull();
    // Nothing is dropped: the api keeps pool and balances for as long as it may.
    market.chain.advanceSlots(2);
    node.forget();
    const { quote } = await market.prepared(token.mint, trader, sells);
    expect(quote).toMatchObject({
      inputRaw: String(heldBy(trader)),
      walletBalanceRaw: String(heldBy(trader)),
    });
    expect(BigInt(quote.slot)).toBeGreaterThan(BigInt(bought.quote.slot));
    expect(node.seen('getMultipleAccounts')).toBe(1);
    node.forget();
    const quoted = await (await inQuote({ ...sells, wallet: trader.key.walletAddress })).json();
    expect(quoted).toEqual({ ...quote, slot: expect.any(String), asOf: expect.any(String) });
    expect(node.seen('getMultipleAccounts')).toBe(1);
  });

  test('requested twice at once is prepared twice, and the second of the two cannot sell what is gone', async () => {
    await buys(trader, '50000000');
    const sells = { side: 'sell', amountBps: 10_000 };
    const both = await Promise.all([1, 2].map(() => market.prepared(token.mint, trader, sells)));
    const signed = await Promise.all(both.map(({ intentId }) => market.sign(intentId, trader)));
    const errors = signed.map((bytes) => market.landSigned(bytes));
    expect(errors[0]).toBeNull();
    expect(errors[1]).not.toBeNull();
    expect(heldBy(trader)).toBe(0n);
  });

  test.each(['swap', 'quote'] as const)(
    'of nothing, or too small, is refused with the reason by a %s',
    async (operation) => {
      const empty = await market.trader();
      const ask = (amountBps: number) =>
        operation === 'swap'
          ? market.swap(token.mint, empty, { side: 'sell', amountBps })
          : inQuote({ side: 'sell', amountBps, wallet: empty.key.walletAddress });
      const none = await expectProblem(await ask(10_000), 'swap_amount_out_of_range');
      expect(none.context).toMatchObject({ reason: 'balance_empty', balanceRaw: '0' });
      expect(none.detail).toBe('The wallet holds none of the token.');
      const exactOut = { side: 'buy', mode: 'exact-out', amountRaw: '9999' };
      const { intentId } = await market.freshlyPrepared(token.mint, empty, exactOut);
      expect(market.landSigned(await market.sign(intentId, empty))).toBeNull();
      const tiny = await expectProblem(await ask(1), 'swap_amount_out_of_range');
      expect(tiny.context).toMatchObject({ reason: 'rounds_to_zero', balanceRaw: '9999', amountBps: 1 });
      expect(tiny.detail).toContain('1 basis points of the 9999 raw units');
    },
  );

  test.each<[string, string, Record<string, string | number>]>([
    ['no amount', 'amountRaw', { side: 'sell' }],
    ['two amounts', 'amountBps', { side: 'sell', amountRaw: '1', amountBps: 1 }],
    ['a share for a buy', 'amountBps', { side: 'buy', amountBps: 1 }],
    ['a share as the output', 'amountBps', { side: 'sell', mode: 'exact-out', amountBps: 1 }],
    ['no share at all', 'amountBps', { side: 'sell', amountBps: 0 }],
    ['more than all', 'amountBps', { side: 'sell', amountBps: 10_001 }],
    ['a fee beyond the bound', 'platformFeeBps', { side: 'buy', amountRaw: '1000000', platformFeeBps: 501 }],
    ['a negative fee', 'platformFeeBps', { side: 'buy', amountRaw: '1000000', platformFeeBps: -1 }],
  ])('with %s is a field error of swap and quote', async (_name, field, order) => {
    const inBody = await expectProblem(await market.swap(token.mint, trader, order), 'validation_failed');
    expect(inBody.errors?.map(({ path }) => path)).toEqual([`/body/${field}`]);
    const query = 'amountBps' in order ? { ...order, wallet } : order;
    const quoted = await expectProblem(await inQuote(query), 'validation_failed');
    expect(quoted.errors?.map(({ path }) => path)).toEqual([`/query/${field}`]);
  });

  test('of a quote needs a wallet, and a wallet has no other use', async () => {
    const without = await expectProblem(await inQuote({ side: 'sell', amountBps: 1 }), 'validation_failed');
    expect(without.errors).toMatchObject([{ path: '/query/wallet', code: 'required' }]);
    const unused = await inQuote({ side: 'sell', amountRaw: '1', wallet });
    expect((await expectProblem(unused, 'validation_failed')).errors).toMatchObject([
      { path: '/query/wallet' },
    ]);
  });
});

describe('a platform fee', () => {
  const order = { side: 'buy', amountRaw: '100000000', platformFeeBps: 100 };

  test('without a registered account is refused by a swap; a quote computes it for anybody', async () => {
    await expectProblem(await market.swap(token.mint, trader, order), 'platform_fee_account_missing');
    const quote = await (await inQuote(order)).json();
    expect(quote).toMatchObject({
      inputRaw: '100000000',
      platformFee: { bps: 100, lamports: '1000000', account: null },
    });
    const plain = (await (await inQuote({ side: 'buy', amountRaw: '99000000' })).json()) as {
      outputRaw: string;
    };
    expect(quote).toMatchObject({ outputRaw: plain.outputRaw });
  });

  test('of zero needs no account and is none', async () => {
    const { quote } = await market.prepared(token.mint, trader, { ...order, platformFeeBps: 0 });
    expect(quote.platformFee).toBeNull();
  });

  test('goes to the account of the customer alone, and the intent’s policy demands its payment', async () => {
    await registerFeeAccount(market, trader, feeAccount);
    const other = await market.trader();
    await expectProblem(await market.swap(token.mint, other, order), 'platform_fee_account_missing');
    const named = await market.swap(token.mint, trader, { ...order, feeAccount: wallet });
    await expectProblem(named, 'validation_failed');
    const { intentId, quote } = await market.prepared(token.mint, trader, order);
    expect(quote.platformFee).toEqual({ bps: 100, lamports: '1000000', account: feeAccount });
    const intent = await market.intent(intentId, trader);
    expect(intent.policy.platformFee).toEqual({ account: feeAccount, lamports: '1000000' });
    // The signer sends the fee elsewhere.
    const signed = await market.sign(intentId, trader);
    const at = Buffer.from(signed).indexOf(Buffer.from(decodeAddress(feeAccount) ?? []));
    signed.set(decodeAddress(wallet) ?? [], at);
    await expectProblem(await market.submit(intentId, trader, signed), 'transaction_intent_tampered');
    const { quote: small } = await market.prepared(token.mint, trader, { ...order, amountRaw: '99' });
    expect(small.platformFee).toMatchObject({ lamports: '0' });
  });

  test('that is registered for the wallet itself is refused: the wallet would get less than quoted', async () => {
    await registerFeeAccount(market, trader, trader.key.walletAddress);
    const refused = await market.swap(token.mint, trader, order);
    const problem = await expectProblem(refused, 'platform_fee_account_unusable');
    expect(problem.context).toMatchObject({ reason: 'is_the_wallet' });
  });

  test('keeps an earlier limit: the limit is what the wallet gets or pays after it', async () => {
    await registerFeeAccount(market, trader, feeAccount);
    await buys(trader, '100000000');
    const cases = [
      { side: 'buy', amountRaw: '10000000' },
      { side: 'buy', mode: 'exact-out', amountRaw: '1000000' },
      { side: 'sell', amountRaw: '1000000' },
      { side: 'sell', mode: 'exact-out', amountRaw: '10000' },
    ];
    for (const terms of cases) {
      const withFee = { ...terms, platformFeeBps: 250 };
      const first = await market.prepared(token.mint, trader, { ...withFee, slippageBps: 0 });
      const { minimumOutputRaw, maximumInputRaw, outputRaw, inputRaw } = first.quote;
      expect(minimumOutputRaw ?? maximumInputRaw).toBe(minimumOutputRaw === null ? inputRaw : outputRaw);
      const limitRaw = minimumOutputRaw ?? maximumInputRaw;
      await market.prepared(token.mint, trader, { ...withFee, limitRaw });
      const beyond = String(BigInt(limitRaw) + (minimumOutputRaw === null ? -1n : 1n));
      await expectProblem(
        await market.swap(token.mint, trader, { ...withFee, limitRaw: beyond }),
        'swap_quote_outdated',
      );
    }
  });
});
