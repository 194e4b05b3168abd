import { beforeAll, describe, expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import type { SandboxChain } from '../../sandbox/chain/server.ts';
import { curvePlans } from '../../sandbox/market/curve-kinds.ts';
import type { LaunchAddresses } from '../../sandbox/market/launch-addresses.ts';
import { NONCE_ACCOUNT_BYTES } from '../../src/chain/accounts/nonce-account.ts';
import { RENT_SYSVAR } from '../../src/chain/accounts/sysvars.ts';
import { createRentSource } from '../../src/chain/rent-source.ts';
import { createChainRpc } from '../../src/chain/rpc.ts';
import { expectProblem } from '../support/api/problems.ts';
import { rentOn, setEpochSlots, setRent } from '../support/chain/cluster-rent.ts';
import { interceptNode, type NodeInterceptor } from '../support/chain/node-interceptor.ts';
import { fundedWallet } from '../support/intents/submitted-intent.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { registerFeeAccount } from '../support/trading/fee-account.ts';
import { TradedMarket, type Trader } from '../support/trading/traded-market.ts';

/** Steps of public clusters, down and back up, and above every one of them (reference/solana#rent). */
const RENTS = [5_080n, 696n, 6_960n, 13_920n];
/** Short, because a node is believed some slots a second. */
const EPOCH_SLOTS = 8n;
const FEE_BPS = 100;
const down = { code: -32_000, message: 'down' };

let market: TradedMarket;
let node: NodeInterceptor;
let token: LaunchAddresses;
let trader: Trader;

const chainOf = (): SandboxChain => market.chain;
const newAddress = () => Keypair.generate().publicKey.toBase58();

beforeAll(async () => {
  const first = await TradedMarket.start();
  token = await first.launch(curvePlans.steady);
  setEpochSlots(first.chain.ledger, EPOCH_SLOTS);
  node = interceptNode(first.chain.rpcUrl);
  atEnd(() => node.stop());
  market = await TradedMarket.over(first.chain, {
    SOLANA_RPC_URL: node.rpcUrl,
    LAUNCH_CURVE_CONFIGS: `steady=${token.config}`,
    // Nobody has funded it.
    TIP_ACCOUNTS: newAddress(),
  });
  await market.list(token.mint, token.pool);
  trader = await market.trader();
  // The chain's time decides no fee of this curve.
  market.stopTime();
});

/** A new epoch with another rent; the api knows that it has begun. */
async function beginEpoch(lamportsPerByte: bigint): Promise<void> {
  const { ledger } = chainOf();
  const next = ledger.slot + EPOCH_SLOTS - (ledger.slot % EPOCH_SLOTS);
  chainOf().advanceSlots(Number(next - ledger.slot));
  setRent(ledger, lamportsPerByte);
  market.settle();
  const { chainHead } = market.api.dependencies;
  await eventually('the head is in the new epoch', async () => (chainHead.current()?.slot ?? 0n) >= next);
}

/** A buy whose platform fee has this many lamports. */
const buyWithFee = (feeLamports: bigint) => ({
  side: 'buy',
  amountRaw: String(feeLamports * BigInt(10_000 / FEE_BPS)),
  slippageBps: 500,
  platformFeeBps: FEE_BPS,
  tipLamports: '0',
});

/** A fee account that does not exist. */
async function registerEmpty(): Promise<string> {
  const address = newAddress();
  await registerFeeAccount(market, trader, address);
  return address;
}

describe('where a byte costs another rent', () => {
  test.each(RENTS)(
    'of %p lamports, exactly the payments below it are refused, simulated or not',
    async (perByte) => {
      await beginEpoch(perByte);
      const rent = rentOn(chainOf().ledger, 0);
      expect(rent).toBe(128n * perByte);
      const feeAccount = await registerEmpty();
      const opening = buyWithFee(rent);
      await market.prepared(token.mint, trader, opening);
      const { intentId, intent } = await market.prepared(token.mint, trader, opening);
      expect(intent.policy.requireSimulation).toBe(false);
      const problem = await expectProblem(
        await market.swap(token.mint, trader, buyWithFee(rent - 1n)),
        'platform_fee_account_unusable',
      );
      expect(problem.context).toMatchObject({ reason: 'not_rent_exempt', feeAccount });
      expect(market.landSigned(await market.sign(intentId, trader))).toBeNull();
    },
  );

  test('a fee that suffices is not what a refusal names', async () => {
    await beginEpoch(5_080n);
    await registerEmpty();
    const fee = rentOn(chainOf().ledger, 0) + 1n;
    const tipped = { ...buyWithFee(fee), tipLamports: '1000' };
    const problem = await expectProblem(await market.swap(token.mint, trader, tipped), 'swap_refused');
    // What the chain refuses is the tip to an account that does not exist.
    expect(problem.context).toEqual({ reason: 'refused', retry: 'no' });
  });

  test('the costs of a launch and of an order slot follow', async () => {
    const costOf = async (): Promise<bigint> => {
      market.api.dependencies.launchConfigCache.clear();
      const response = await fetch(`${market.api.baseUrl}/launch-configs`);
      const { data } = (await response.json()) as { data: [{ cost: { rentLamports: string } }] };
      return BigInt(data[0].cost.rentLamports);
    };
    await beginEpoch(6_960n);
    const full = await costOf();
    for (const perByte of [5_080n, 696n]) {
      await beginEpoch(perByte);
      expect((await costOf()) * 6_960n).toBe(full * perByte);
      const { intentId, nonceAddress } = await createSlot();
      expect(market.landSigned(await market.sign(intentId, trader))).toBeNull();
      const { lamports } = chainOf().ledger.vm.getAccount(nonceAddress) ?? expect.unreachable();
      expect(lamports).toBe(rentOn(chainOf().ledger, NONCE_ACCOUNT_BYTES));
    }
  });
});

async function requestSlot(of: TradedMarket, { key }: Trader): Promise<Response> {
  return fetch(`${of.api.baseUrl}/order-slots`, {
    method: 'POST',
    headers: { ...key.header, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify({ tipLamports: '0' }),
  });
}

async function createSlot(): Promise<{ intentId: string; nonceAddress: string }> {
  const response = await requestSlot(market, trader);
  expect(response.status).toBe(201);
  return (await response.json()) as { intentId: string; nonceAddress: string };
}

test('a swap costs the requests for pool and wallet, and none for the rent of an epoch that is known', async () => {
  await beginEpoch(5_080n);
  // It does not end while the swaps are made.
  setEpochSlots(chainOf().ledger, 432_000n);
  market.settle();
  const funded = (await fundedWallet(chainOf().rpcUrl)).publicKey.toBase58();
  await registerFeeAccount(market, trader, funded);
  await market.prepared(token.mint, trader, buyWithFee(10_000n));
  for (let swaps = 0; swaps < 5; swaps += 1) {
    market.settle();
    node.forget();
    await market.prepared(token.mint, trader, buyWithFee(10_000n));
    expect(node.seen('getMultipleAccounts')).toBe(2);
  }
  setEpochSlots(chainOf().ledger, EPOCH_SLOTS);
});

test('a rent that no node shows is not invented: there is no order slot until one does', async () => {
  const unread = interceptNode(chainOf().rpcUrl);
  atEnd(() => unread.stop());
  const young = await TradedMarket.over(chainOf(), { SOLANA_RPC_URL: unread.rpcUrl });
  const owner = await young.trader();
  unread.answer = (method) => (method === 'getMultipleAccounts' ? down : null);
  await expectProblem(await requestSlot(young, owner), 'chain_unavailable');
  unread.answer = () => null;
  expect((await requestSlot(young, owner)).status).toBe(201);
});

test('a swap is simulated each time while nobody knows the rent', async () => {
  const unread = interceptNode(chainOf().rpcUrl);
  atEnd(() => unread.stop());
  unread.answer = (_method, params) => (params.includes(RENT_SYSVAR) ? down : null);
  const young = await TradedMarket.over(chainOf(), { SOLANA_RPC_URL: unread.rpcUrl });
  await young.list(token.mint, token.pool);
  const owner = await young.trader();
  for (const order of [{ side: 'buy', amountRaw: '100000000', slippageBps: 500 }, buyWithFee(1_000_000n)]) {
    if ('platformFeeBps' in order) {
      const funded = (await fundedWallet(chainOf().rpcUrl)).publicKey.toBase58();
      await registerFeeAccount(young, owner, funded);
    }
    for (const _time of ['first', 'second']) {
      const { intent } = await young.prepared(token.mint, owner, order);
      expect(intent.policy.requireSimulation).toBe(true);
    }
  }
});

describe('the source of the rent', () => {
  const reader = (of: NodeInterceptor) => {
    const state = { slot: 0n, nowMs: 1_800_000_000_000 };
    const clock = { now: () => new Date(state.nowMs) };
    const head = { current: () => ({ slot: state.slot, blockHeight: state.slot, observedAt: clock.now() }) };
    const read = createRentSource({ rpcs: [createChainRpc(of.rpcUrl)], clock }, head);
    return { state, perByte: async () => (await read())?.(1 - 128) ?? null };
  };

  test('asks once an epoch, for all that ask at once, and again after ten minutes', async () => {
    await beginEpoch(5_080n);
    const { ledger } = chainOf();
    const { state, perByte } = reader(node);
    node.forget();
    expect(await Promise.all([perByte(), perByte(), perByte()])).toEqual([5_080n, 5_080n, 5_080n]);
    const boundary = ledger.slot + EPOCH_SLOTS - (ledger.slot % EPOCH_SLOTS);
    setRent(ledger, 2_575n);
    chainOf().advanceSlots(Number(boundary - ledger.slot) + 2);
    for (const slot of [boundary - 2n, boundary - 1n]) {
      state.slot = slot;
      expect(await perByte()).toBe(5_080n);
    }
    expect(node.seen('getMultipleAccounts')).toBe(1);
    state.slot = boundary;
    expect(await perByte()).toBe(2_575n);
    expect(await perByte()).toBe(2_575n);
    expect(node.seen('getMultipleAccounts')).toBe(2);
    state.nowMs += 600_000 - 1;
    await perByte();
    expect(node.seen('getMultipleAccounts')).toBe(2);
    state.nowMs += 1;
    await perByte();
    expect(node.seen('getMultipleAccounts')).toBe(3);
  });

  test('says nothing while no node answers, and takes up again', async () => {
    const { state, perByte } = reader(node);
    expect(await perByte()).not.toBeNull();
    state.nowMs += 600_000;
    node.answer = () => down;
    expect(await perByte()).toBeNull();
    node.answer = () => null;
    expect(await perByte()).not.toBeNull();
  });
});
