import { beforeAll, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createBurnInstruction,
  createCloseAccountInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token';
import { Keypair, PublicKey } from '@solana/web3.js';
import { curvePlans } from '../../sandbox/market/curve-kinds.ts';
import type { LaunchAddresses } from '../../sandbox/market/launch-addresses.ts';
import { WRAPPED_SOL_MINT } from '../../src/chain/accounts/programs.ts';
import { readTransaction } from '../../src/chain/transaction-reader.ts';
import { SwapQuoteSchema, SwapSchema } from '../../src/features/trading/schema.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { fillGate, occupyGate } from '../support/api/full-gate.ts';
import { expectProblem } from '../support/api/problems.ts';
import { interceptNode } from '../support/chain/node-interceptor.ts';
import { submitIntent } from '../support/intents/submit-intent.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { type SwapAnswer, signBytes, TradedMarket, type Trader } from '../support/trading/traded-market.ts';

const U64_MAX = 18_446_744_073_709_551_615n;
const newAddress = () => Keypair.generate().publicKey.toBase58();

let market: TradedMarket;
let trader: Trader;
let token: LaunchAddresses;

beforeAll(async () => {
  market = await TradedMarket.start(() => ({ MAX_COMPUTE_UNIT_PRICE: '1000000' }));
  trader = await market.trader();
  token = await market.launch();
});
beforeEach(() => {
  market.chain.setFaults({});
  market.settle();
});

const buy = { side: 'buy', amountRaw: '100000000' };
const intentsOf = async ({ key }: Trader) => {
  const { database } = market.api.dependencies;
  return (await database`select id from transaction_intents where account_id = ${key.accountId}`).length;
};

describe('a quote', () => {
  test('fits its schema, has its pool and slot, and bounds the cost of slippage', async () => {
    const response = await market.quote(token.mint, { ...buy, slippageBps: 100 });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('public, max-age=0');
    const quote = (await response.json()) as Record<string, string>;
    expect(Value.Check(SwapQuoteSchema, quote)).toBe(true);
    expect(quote).toMatchObject({
      mintAddress: token.mint,
      venue: 'bonding_curve',
      poolAddress: token.pool,
      mode: 'exact-in',
      inputRaw: '100000000',
      maximumInputRaw: null,
      completesCurve: false,
    });
    expect(BigInt(quote.minimumOutputRaw ?? '')).toBe((BigInt(quote.outputRaw ?? '') * 9_900n) / 10_000n);
    expect(BigInt(quote.slot ?? '')).toBeLessThanOrEqual(market.chain.ledger.slot);
  });

  test('of an exact output has the maximum input, rounded up', async () => {
    const exactOut = { side: 'buy', mode: 'exact-out', amountRaw: '1000001', slippageBps: 33 };
    const quote = (await (await market.quote(token.mint, exactOut)).json()) as Record<string, string>;
    expect(quote).toMatchObject({ outputRaw: '1000001', minimumOutputRaw: null });
    const exact = BigInt(quote.inputRaw ?? '') * 10_033n;
    expect(BigInt(quote.maximumInputRaw ?? '')).toBe((exact + 9_999n) / 10_000n);
  });

  test.each<[string, Record<string, string>, Record<string, unknown>]>([
    ['zero', { side: 'buy', amountRaw: '0' }, { reason: 'too_small' }],
    ['more than 64 bits', { side: 'buy', amountRaw: String(U64_MAX + 1n) }, { reason: 'above_u64' }],
    [
      'more than the curve has left',
      { side: 'buy', amountRaw: '500000000000' },
      {
        reason: 'exceeds_liquidity',
        remainingQuoteRaw: expect.any(String),
        remainingBaseRaw: expect.any(String),
      },
    ],
    [
      'more than the curve can pay',
      { side: 'sell', mode: 'exact-out', amountRaw: '50000000000' },
      { reason: 'exceeds_liquidity', programError: expect.objectContaining({ number: expect.any(Number) }) },
    ],
  ])('of an amount that is %s is refused with the reason', async (_name, query, context) => {
    const problem = await expectProblem(await market.quote(token.mint, query), 'swap_amount_out_of_range');
    expect(problem.context).toMatchObject(context);
  });

  test('of every tiny amount brings something, or is refused as too small: on the curve, in the pool and in a basket', async () => {
    const mover = await market.launch(curvePlans.quick);
    const isTooSmall = async (query: Record<string, string>, mint = token.mint): Promise<boolean> => {
      const response = await market.quote(mint, query);
      if (response.status === 200) {
        const { inputRaw, outputRaw, minimumOutputRaw } = (await response.json()) as Record<string, string>;
        expect([inputRaw, outputRaw, minimumOutputRaw]).not.toContain('0');
        return false;
      }
      const { context } = await expectProblem(response, 'swap_amount_out_of_range');
      expect(context?.reason).toBe('too_small');
      return true;
    };
    const amounts = ['1', '2', '3', '10', '30', '100', '91568', '200000'];
    const tooSmall = async (mint: string, more: Record<string, string>) => {
      const answers = await Promise.all(amounts.map((amountRaw) => isTooSmall({ ...more, amountRaw }, mint)));
      return amounts.filter((_, at) => answers[at]);
    };
    // A lamport is the fee; a raw unit is worth a part of one.
    expect(await tooSmall(token.mint, { side: 'buy' })).toEqual(['1']);
    expect(await tooSmall(token.mint, { side: 'sell' })).toContain('100');
    expect(await tooSmall(token.mint, { side: 'buy', mode: 'exact-out' })).toEqual([]);
    expect(await tooSmall(token.mint, { side: 'sell', mode: 'exact-out' })).toEqual([]);
    await market.complete(mover);
    market.migrate(mover);
    expect(await tooSmall(mover.mint, { side: 'buy' })).toContain('1');
    expect(await tooSmall(mover.mint, { side: 'sell' })).toContain('100');
    const basket = await fetch(`${market.api.baseUrl}/quotes?mints=${token.mint}&side=buy&amountRaw=1`);
    expect(await basket.json()).toMatchObject({
      items: [{ quote: null, error: { code: 'swap_amount_out_of_range', context: { reason: 'too_small' } } }],
    });
    const kept = await intentsOf(trader);
    const swap = await market.swap(token.mint, trader, { side: 'buy', amountRaw: '1' });
    expect((await expectProblem(swap, 'swap_amount_out_of_range')).context).toEqual({ reason: 'too_small' });
    expect(await intentsOf(trader)).toBe(kept);
  });

  test('that is refused names what can be bought: that buy completes the curve', async () => {
    const quick = await market.launch(curvePlans.quick);
    const owner = await market.trader();
    const all = { side: 'buy', mode: 'exact-out' };
    const tooMuch = await market.quote(quick.mint, { ...all, amountRaw: '900000000000000' });
    const { context } = await expectProblem(tooMuch, 'swap_amount_out_of_range');
    const order = { ...all, amountRaw: String(context?.remainingBaseRaw) };
    const quote = (await (await market.quote(quick.mint, order)).json()) as Record<string, unknown>;
    expect(quote).toMatchObject({
      outputRaw: order.amountRaw,
      completesCurve: true,
      remainingCapacity: { baseRaw: order.amountRaw },
    });
    const { intentId } = await market.prepared(quick.mint, owner, order);
    expect(market.landSigned(await market.sign(intentId, owner))).toBeNull();
  });

  test.each([
    ['amountRaw', { side: 'buy', amountRaw: '1.5' }],
    ['amountRaw', { side: 'buy', amountRaw: '-1' }],
    ['side', { side: 'both', amountRaw: '1' }],
    ['slippageBps', { ...buy, slippageBps: '10001' }],
    ['mode', { ...buy, mode: 'partial' }],
    // If it were ignored, the quote would use the default of 50 basis points.
    ['slippagebps', { ...buy, slippagebps: '1' }],
  ])('with a wrong %s is a field error', async (field, query) => {
    const problem = await expectProblem(await market.quote(token.mint, query), 'validation_failed');
    expect(problem.errors?.map(({ path }) => path)).toEqual([`/query/${field}`]);
  });

  test('of a token that is not listed, not launched, or not tradable is refused with the reason', async () => {
    await expectProblem(await market.quote(newAddress(), buy), 'token_not_found');
    const pending = newAddress();
    await market.list(pending, null);
    const none = await expectProblem(await market.quote(pending, buy), 'token_not_tradable');
    expect(none.context).toEqual({ status: 'bonding', reason: 'not_launched' });
    const foreign = newAddress();
    await market.list(foreign, newAddress());
    const empty = await expectProblem(await market.quote(foreign, buy), 'token_not_tradable');
    expect(empty.context).toMatchObject({ reason: 'not_launched' });
  });

  test('follows a token from its curve over the gap of the migration to the AMM', async () => {
    const mover = await market.launch(curvePlans.quick);
    await market.complete(mover);
    const gap = await expectProblem(await market.quote(mover.mint, buy), 'token_not_tradable');
    expect(gap.context).toMatchObject({ reason: 'migrating' });
    await expectProblem(await market.swap(mover.mint, trader, buy), 'token_not_tradable');
    market.migrate(mover);
    const after = (await (await market.quote(mover.mint, buy)).json()) as Record<string, unknown>;
    expect(after).toMatchObject({ venue: 'amm', poolAddress: mover.amm.pool, remainingCapacity: null });
  });

  test('is 503 while no node answers, and never an old price', async () => {
    expect((await market.quote(token.mint, buy)).status).toBe(200);
    market.settle();
    market.chain.setFaults({ down: 'unavailable' });
    await expectProblem(await market.quote(token.mint, buy), 'chain_unavailable');
    await expectProblem(await market.swap(token.mint, trader, buy), 'chain_unavailable');
  });
});

describe('a swap', () => {
  test('is stored with the quote it was built from, its policy and its window, for the wallet of the key', async () => {
    const response = await market.swap(token.mint, trader, { ...buy, slippageBps: 200 });
    expect(response.status).toBe(201);
    const swap = (await response.json()) as SwapAnswer;
    expect(Value.Check(SwapSchema, swap)).toBe(true);
    expect(response.headers.get('etag')).toBe('"1"');
    expect(response.headers.get('location')).toBe(`/api/v2/transaction-intents/${swap.intentId}`);
    expect(swap.intentUrl).toBe(`http://api.test/api/v2/transaction-intents/${swap.intentId}`);
    expect(await market.intent(swap.intentId, trader)).toMatchObject({
      kind: 'swap',
      status: 'prepared',
      version: 1,
      expectedSigner: trader.key.walletAddress,
      recentBlockhash: swap.recentBlockhash,
      lastValidBlockHeight: swap.lastValidBlockHeight,
      policy: { maxComputeUnitPrice: '1000000', requireSimulation: true },
    });
  });

  test('shows the whole intent with its version, so that the next request is the submission', async () => {
    const response = await market.swap(token.mint, trader, buy);
    const { intentId, intent } = (await response.json()) as SwapAnswer;
    expect(intent).toEqual(await market.intent(intentId, trader));
    const signed = signBytes(Buffer.from(intent.serializedTransaction, 'base64'), trader.wallet);
    const ifMatch = response.headers.get('etag') ?? '';
    const submission = { key: trader.key, signed, ifMatch };
    expect((await submitIntent(market.api.baseUrl, intentId, submission)).status).toBe(202);
  });

  test('is replayed byte for byte, with the intent as it was before its submission', async () => {
    const owner = await market.trader();
    const first = await market.swap(token.mint, owner, buy, 'same-bytes-1');
    const bytes = await first.text();
    const { intentId } = JSON.parse(bytes) as SwapAnswer;
    expect((await market.submit(intentId, owner, await market.sign(intentId, owner))).status).toBe(202);
    const again = await market.swap(token.mint, owner, buy, 'same-bytes-1');
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(await again.text()).toBe(bytes);
  });

  test('has its own capacity, and does not wait for waiting quotes', async () => {
    const { quotes } = market.api.dependencies.gates;
    const [first, unread, known] = [await market.launch(), await market.launch(), await market.launch()];
    const empty = fillGate(quotes);
    atEnd(empty);
    await expectProblem(await market.quote(first.mint, buy), 'api_dependency_unavailable');
    expect((await market.swap(first.mint, trader, buy)).status).toBe(201);
    await empty();

    // Its token is cached; only its pool has to be loaded again.
    expect((await market.quote(known.mint, buy)).status).toBe(200);
    market.settle();
    const release = occupyGate(quotes);
    atEnd(release);
    const load = spyOn(quotes, 'queue');
    const waiting = [unread, known].map(({ mint }) => market.quote(mint, buy));
    await eventually('the quotes wait', async () => load.mock.calls.length === 2);
    for (const { mint } of [unread, known]) expect((await market.swap(mint, trader, buy)).status).toBe(201);
    expect(load).toHaveBeenCalledTimes(2);
    await release();
    await Promise.all(waiting);
  });

  test('does not exist for any other account', async () => {
    const { intentId } = await market.prepared(token.mint, trader, buy);
    const stranger = await market.trader();
    const response = await fetch(`${market.api.baseUrl}/transaction-intents/${intentId}`, {
      headers: stranger.key.header,
    });
    await expectProblem(response, 'transaction_intent_not_found');
  });

  test('accepts only the wallet of the key, and only its signature', async () => {
    const named = { ...buy, walletAddress: newAddress() };
    await expectProblem(await market.swap(token.mint, trader, named), 'validation_failed');
    const { intentId } = await market.prepared(token.mint, trader, buy);
    const foreign = await market.sign(intentId, { ...trader, wallet: Keypair.generate() });
    await expectProblem(
      await market.submit(intentId, trader, foreign),
      'transaction_intent_invalid_signature',
    );
  });

  test('needs its scope', async () => {
    const { database } = market.api.dependencies;
    const key = await createTestKey(database, { scopes: ['operations:read'] });
    await expectProblem(await market.swap(token.mint, { ...trader, key }, buy), 'insufficient_scope');
  });

  test('is refused with the error that the chain would return, and is not stored', async () => {
    const poor = Keypair.generate();
    const walletAddress = poor.publicKey.toBase58();
    const key = await createTestKey(market.api.dependencies.database, { walletAddress });
    const unfunded = { wallet: poor, key };
    const noSol = await expectProblem(await market.swap(token.mint, unfunded, buy), 'swap_refused');
    expect(noSol.context).toMatchObject({ reason: 'insufficient_funds' });
    const newcomer = await market.trader();
    const richer = { ...buy, amountRaw: '70000000000' };
    const tooMuch = { ...richer, amountRaw: '84000000000' };
    expect((await market.swap(token.mint, newcomer, richer)).status).toBe(201);
    const sale = { side: 'sell', amountRaw: '1000000' };
    const noTokens = await expectProblem(await market.swap(token.mint, newcomer, sale), 'swap_refused');
    expect(noTokens.context).toBeDefined();
    const endless = { ...buy, amountRaw: String(U64_MAX + 1n) };
    await expectProblem(await market.swap(token.mint, newcomer, endless), 'swap_amount_out_of_range');
    expect(await intentsOf(unfunded)).toBe(0);
    expect(await intentsOf(newcomer)).toBe(1);
    expect((await market.swap(token.mint, newcomer, tooMuch)).status).toBe(201);
  });

  test('is simulated once, and similar swaps are not for a moment, unless the caller asks for it', async () => {
    const owner = await market.trader();
    const policyOf = async (body: object) => {
      const { intentId } = await market.prepared(token.mint, owner, { ...body, slippageBps: 500 });
      const { policy } = await market.intent(intentId, owner);
      return { intentId, isSimulated: policy.requireSimulation };
    };
    expect((await policyOf(buy)).isSimulated).toBe(true);
    const warm = await policyOf({ ...buy, amountRaw: '200000000' });
    expect(warm.isSimulated).toBe(false);
    expect(market.landSigned(await market.sign(warm.intentId, owner))).toBeNull();
    expect((await policyOf({ ...buy, simulate: true })).isSimulated).toBe(true);
    expect((await policyOf({ ...buy, mode: 'exact-out', amountRaw: '1000000' })).isSimulated).toBe(true);
    market.api.dependencies.blockhashes.forget();
    market.chain.advanceSlots(2);
    // This blockhash has not been simulated yet.
    expect((await policyOf(buy)).isSimulated).toBe(true);
  });

  test('that is not simulated lands, whichever accounts of its wallet are open and were open when one was', async () => {
    const owner = await market.trader();
    const other = await market.trader();
    const [wallet, wrapped] = [owner.wallet.publicKey, new PublicKey(WRAPPED_SOL_MINT)];
    const mint = new PublicKey(token.mint);
    const accounts = [wrapped, mint].map((of) => getAssociatedTokenAddressSync(of, wallet));
    const [wrappedAccount, tokenAccount] = accounts as [PublicKey, PublicKey];
    const isOpen = (account: PublicKey) =>
      (market.chain.ledger.vm.getAccount(account.toBase58())?.lamports ?? 0n) > 0n;
    const bring = async (account: PublicKey, of: PublicKey, open: boolean) => {
      if (isOpen(account) === open) return;
      if (open)
        return market.land(
          [createAssociatedTokenAccountIdempotentInstruction(wallet, account, wallet, of)],
          [owner.wallet],
        );
      const heldRaw = market.chain.ledger.vm.getAccount(account.toBase58())?.data ?? Buffer.alloc(72);
      const raw = Buffer.from(heldRaw).readBigUInt64LE(64);
      const burn = of.equals(mint) && raw > 0n ? [createBurnInstruction(account, mint, wallet, raw)] : [];
      market.land([...burn, createCloseAccountInstruction(account, wallet, wallet)], [owner.wallet]);
    };
    const become = async ([hasWrapped, hasToken]: readonly [boolean, boolean]) => {
      await bring(wrappedAccount, wrapped, hasWrapped);
      await bring(tokenAccount, mint, hasToken);
    };
    const states = [
      [true, true],
      [true, false],
      [false, true],
      [false, false],
    ] as const;
    let unsimulated = 0;
    const simulated = new Set<string>();
    for (const first of states) {
      for (const second of states) {
        await become(first);
        await market.prepared(token.mint, owner, { ...buy, simulate: true });
        simulated.add(String(first));
        await become(second);
        // The simulation of another customer vouches for the newest blockhash.
        await market.prepared(token.mint, other, { ...buy, simulate: true });
        const { intentId } = await market.prepared(token.mint, owner, { ...buy, slippageBps: 500 });
        const { policy } = await market.intent(intentId, owner);
        if (!policy.requireSimulation) unsimulated += 1;
        // To open an account takes units that no simulation with an open one has measured.
        if (!simulated.has(String(second))) expect(policy.requireSimulation).toBe(true);
        simulated.add(String(second));
        expect(market.landSigned(await market.sign(intentId, owner))).toBeNull();
      }
    }
    expect(unsimulated).toBeGreaterThanOrEqual(states.length);
  });

  test('that completes the curve is always simulated, because it takes more units', async () => {
    const quick = await market.launch(curvePlans.quick);
    const owner = await market.trader();
    const wasSimulated = async (amountRaw: string) => {
      const { intentId } = await market.prepared(quick.mint, owner, { ...buy, amountRaw });
      return (await market.intent(intentId, owner)).policy.requireSimulation;
    };
    expect(await wasSimulated('100000000')).toBe(true);
    expect(await wasSimulated('200000000')).toBe(false);
    const tooMuch = await market.quote(quick.mint, { side: 'buy', amountRaw: '100000000000' });
    const { context } = await expectProblem(tooMuch, 'swap_amount_out_of_range');
    // Two percent are the fee.
    const all = (BigInt(String(context?.remainingQuoteRaw)) * 100n + 97n) / 98n;
    expect(await wasSimulated(String(all))).toBe(true);
  });

  test('keeps the limit of an earlier quote, or is refused as outdated', async () => {
    const quote = (await (await market.quote(token.mint, { ...buy, slippageBps: 0 })).json()) as {
      minimumOutputRaw: string;
    };
    const limited = { ...buy, limitRaw: quote.minimumOutputRaw };
    const kept = await market.prepared(token.mint, trader, limited);
    expect(kept.quote).toMatchObject({ slippageBps: null, minimumOutputRaw: quote.minimumOutputRaw });
    await market.buy(token, 2_000_000_000n);
    const problem = await expectProblem(
      await market.swap(token.mint, trader, limited),
      'swap_quote_outdated',
    );
    expect(problem.context).toMatchObject({ limitRaw: quote.minimumOutputRaw });
  });

  test('pays the requested priority up to the limit of the deployment, and by default the priority of the pool', async () => {
    const explicit = await market.prepared(token.mint, trader, { ...buy, computeUnitPrice: '12345' });
    expect(priceOf(await market.sign(explicit.intentId, trader))).toBe(12_345n);
    const dear = { ...buy, computeUnitPrice: '1000001' };
    const problem = await expectProblem(await market.swap(token.mint, trader, dear), 'validation_failed');
    expect(problem.errors).toEqual([expect.objectContaining({ path: '/body/computeUnitPrice' })]);
    // No transaction has paid for priority on this pool, so the default is zero.
    const automatic = await market.prepared(token.mint, trader, buy);
    expect(priceOf(await market.sign(automatic.intentId, trader))).toBeNull();
  });

  test('under the same key is the same swap, even at the same time', async () => {
    const owner = await market.trader();
    const answers = await Promise.all([1, 2, 3].map(() => market.swap(token.mint, owner, buy, 'same-key-1')));
    const made = answers.filter(({ status }) => status === 201);
    for (const response of answers.filter(({ status }) => status !== 201))
      await expectProblem(response, 'idempotency_request_in_progress');
    const ids = await Promise.all(made.map(async (one) => ((await one.json()) as SwapAnswer).intentId));
    expect(new Set(ids).size).toBe(1);
    await market.buy(token, 500_000_000n);
    const again = await market.swap(token.mint, owner, buy, 'same-key-1');
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(((await again.json()) as SwapAnswer).intentId).toBe(ids[0] ?? '');
    expect(await intentsOf(owner)).toBe(1);
    const other = { ...buy, amountRaw: '5' };
    await expectProblem(await market.swap(token.mint, owner, other, 'same-key-1'), 'idempotency_key_reused');
    // A success is replayed although the pool has no node any more.
    market.chain.setFaults({ down: 'unavailable' });
    expect((await market.swap(token.mint, owner, buy, 'same-key-1')).status).toBe(201);
  });

  test('under the same idempotency key is another request for an API key of another wallet, and the same for one of its own', async () => {
    const owner = await market.trader();
    const { accountId, walletAddress } = owner.key;
    const keyOf = (wallet: string) =>
      createTestKey(market.api.dependencies.database, { accountId, walletAddress: wallet });
    const first = (await (await market.swap(token.mint, owner, buy, 'same-key-2')).json()) as SwapAnswer;
    const other = { wallet: owner.wallet, key: await keyOf(newAddress()) };
    await expectProblem(await market.swap(token.mint, other, buy, 'same-key-2'), 'idempotency_key_reused');
    const rotated = { wallet: owner.wallet, key: await keyOf(walletAddress) };
    const replay = await market.swap(token.mint, rotated, buy, 'same-key-2');
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
    expect(((await replay.json()) as SwapAnswer).intentId).toBe(first.intentId);
    expect(await intentsOf(owner)).toBe(1);
  });

  test('that is repeated is not prepared again, and no node is asked', async () => {
    const node = interceptNode(market.chain.rpcUrl);
    atEnd(() => node.stop());
    const watched = await TradedMarket.over(market.chain, { SOLANA_RPC_URL: node.rpcUrl });
    await watched.list(token.mint, token.pool);
    const owner = await watched.trader();
    expect((await watched.swap(token.mint, owner, buy, 'same-key-4')).status).toBe(201);
    watched.settle();
    node.forget();
    expect((await watched.swap(token.mint, owner, buy, 'same-key-4')).status).toBe(201);
    for (const method of ['getMultipleAccounts', 'getLatestBlockhash', 'simulateTransaction'])
      expect(`${method} ${node.seen(method)}`).toBe(`${method} 0`);
  });

  test('asks for pool, wallet and blockhash at the same time, so that all take one round trip to the node', async () => {
    const node = interceptNode(market.chain.rpcUrl);
    atEnd(() => node.stop());
    const watched = await TradedMarket.over(market.chain, { SOLANA_RPC_URL: node.rpcUrl });
    await watched.list(token.mint, token.pool);
    const owner = await watched.trader();
    expect((await watched.swap(token.mint, owner, buy)).status).toBe(201);
    watched.settle();
    node.forget();
    const { promise, resolve } = Promise.withResolvers<void>();
    node.held = promise;
    const swap = watched.swap(token.mint, owner, buy);
    await eventually(
      'the node is asked for all',
      async () => node.seen('getMultipleAccounts') === 2 && node.seen('getLatestBlockhash') === 1,
    );
    node.held = null;
    resolve();
    expect((await swap).status).toBe(201);
    expect(node.seen('getLatestBlockhash')).toBe(1);
  });

  test('and an equal one at the same time are two transactions, and both land', async () => {
    const [one, other] = await Promise.all([
      market.prepared(token.mint, trader, { ...buy, slippageBps: 500 }),
      market.prepared(token.mint, trader, { ...buy, slippageBps: 500 }),
    ]);
    const [first, second] = [
      await market.sign(one.intentId, trader),
      await market.sign(other.intentId, trader),
    ];
    expect(first).not.toEqual(second);
    expect(market.landSigned(first)).toBeNull();
    expect(market.landSigned(second)).toBeNull();
  });
});

/** The price of SetComputeUnitPrice; null without it. */
function priceOf(bytes: Uint8Array): bigint | null {
  const budget = readTransaction(bytes)?.instructions.find(
    ({ dataOffset, dataLength }) => dataLength === 9 && bytes[dataOffset] === 3,
  );
  return budget === undefined ? null : Buffer.from(bytes).readBigUInt64LE(budget.dataOffset + 1);
}
