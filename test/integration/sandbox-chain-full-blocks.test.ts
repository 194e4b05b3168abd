import { describe, expect, test } from 'bun:test';
import { createSolanaRpc, address as kitAddress } from '@solana/kit';
import { ComputeBudgetProgram, Connection, Keypair, SystemProgram, Transaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import { LAMPORTS_PER_SOL } from '../support/chain/chain-client.ts';
import { atEnd } from '../support/run/cleanup.ts';

const ANY_VERSION = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const;
/** Room for five transactions of 200,000 units. */
const SMALL_BLOCK = 1_010_000;

async function post(rpcUrl: string, method: string, ...params: unknown[]) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(rpcUrl, { method: 'POST', body });
  return (await response.json()) as { result?: unknown; error?: { code: number; message: string } };
}

/** A chain with small blocks, and wallets that send transfers at a price. */
async function stage(options: { blockComputeUnits?: number; blockhashWindow?: number } = {}) {
  const chain = await startChain({ slotMs: 'manual', blockComputeUnits: SMALL_BLOCK, ...options });
  atEnd(() => chain.stop());
  const connection = new Connection(chain.rpcUrl, 'processed');
  chain.advanceSlots(20);
  const send = async (microLamports: number, { units = 200_000, to = Keypair.generate().publicKey } = {}) => {
    const payer = Keypair.generate();
    await connection.requestAirdrop(payer.publicKey, LAMPORTS_PER_SOL);
    const { blockhash } = await connection.getLatestBlockhash();
    const transaction = new Transaction({ feePayer: payer.publicKey, blockhash, lastValidBlockHeight: 0 });
    transaction.add(
      ComputeBudgetProgram.setComputeUnitLimit({ units }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports }),
      SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports: LAMPORTS_PER_SOL / 2 }),
    );
    transaction.sign(payer);
    await connection.sendRawTransaction(transaction.serialize());
    return bs58.encode(transaction.signature ?? new Uint8Array(64));
  };
  const isLanded = async (signature: string) =>
    (await connection.getSignatureStatus(signature)).value !== null;
  const setLoad = (load: object = {}) => post(chain.rpcUrl, 'sandbox_setLoad', load);
  return { chain, connection, send, isLanded, setLoad };
}

/** Prices of a block's transactions in micro-lamports, in their order. */
function orderOf(chain: SandboxChain, signatures: readonly string[], slot: bigint): number[] {
  return chain.ledger.history.bySlot(slot).flatMap(({ signature }) => {
    const index = signatures.indexOf(signature);
    return index < 0 ? [] : [index];
  });
}

describe('a block that is full', () => {
  test('lets transactions wait, and the next one takes the dearest first', async () => {
    const { chain, connection, send, isLanded, setLoad } = await stage();
    await setLoad({ share: 1, fromPrice: 10_000 });
    chain.advanceSlots(1);
    const sent = [await send(20_000), await send(90_000), await send(5_000), await send(50_000)];
    for (const signature of sent) expect(await isLanded(signature)).toBe(false);
    chain.advanceSlots(1);
    const slot = chain.ledger.slot;
    expect(orderOf(chain, sent, slot)).toEqual([1, 3, 0]);
    chain.advanceSlots(1);
    expect(await isLanded(sent[2] ?? '')).toBe(false);
    const block = await connection.getBlock(Number(slot), ANY_VERSION);
    const inBlock = block?.transactions.map(({ transaction }) => transaction.signatures[0] ?? '') ?? [];
    expect(inBlock.slice(0, 3)).toEqual([sent[1] ?? '', sent[3] ?? '', sent[0] ?? '']);
    for (const [index, signature] of inBlock.slice(0, 3).entries()) {
      const { result } = await post(chain.rpcUrl, 'getTransaction', signature, ANY_VERSION);
      expect(result).toMatchObject({ slot: Number(slot), transactionIndex: index });
    }
    // The cheap one lands when the load is over.
    await setLoad();
    chain.advanceSlots(1);
    expect(await isLanded(sent[2] ?? '')).toBe(true);
  });

  test('keeps what waits until its blockhash expires, and no longer', async () => {
    const { chain, send, isLanded, setLoad } = await stage({ blockhashWindow: 10 });
    await setLoad({ share: 1, fromPrice: 10_000 });
    chain.advanceSlots(1);
    const cheap = await send(1);
    chain.advanceSlots(11);
    expect(chain.ledger.production.waiting.size).toBe(0);
    await setLoad();
    chain.advanceSlots(1);
    expect(await isLanded(cheap)).toBe(false);
  });

  test('takes no more units than it has, whatever is offered', async () => {
    const { chain, setLoad } = await stage();
    await setLoad({ share: 2.5, fromPrice: 100, toPrice: 9_000 });
    chain.advanceSlots(3);
    const metas = chain.ledger.history
      .bySlot(chain.ledger.slot)
      .map(({ metaJson }) => JSON.parse(metaJson) as { costUnits: number; computeUnitsConsumed: number });
    const units = metas.reduce((sum, { costUnits }) => sum + costUnits, 0);
    expect(units).toBeLessThanOrEqual(SMALL_BLOCK);
    expect(units).toBe(chain.ledger.blockSpace.taken);
    expect(units).toBeGreaterThan(SMALL_BLOCK * 0.5);
    for (const { costUnits, computeUnitsConsumed } of metas)
      expect(costUnits).toBeGreaterThan(computeUnitsConsumed);
  });

  test('lands a transaction that asks for little where one that asks for more has no room', async () => {
    const { send, isLanded, setLoad, chain } = await stage();
    await setLoad({ share: 0.9, fromPrice: 10_000 });
    chain.advanceSlots(1);
    const [large, small] = [await send(50_000), await send(1, { units: 500 })];
    expect([await isLanded(large), await isLanded(small)]).toEqual([false, true]);
  });
});

test('one account takes at most 40 % of a block: those that write it wait, others land', async () => {
  const { chain, send, isLanded } = await stage();
  const hot = Keypair.generate().publicKey;
  await send(1, { to: hot });
  const load = { share: 0.39, fromPrice: 10_000, accounts: [hot.toBase58()] };
  await post(chain.rpcUrl, 'sandbox_setLoad', load);
  chain.advanceSlots(1);
  const [contended, other] = [await send(9_000, { to: hot }), await send(1)];
  expect([await isLanded(contended), await isLanded(other)]).toEqual([false, true]);
  chain.advanceSlots(1);
  expect(await isLanded(contended)).toBe(false);
  const dear = await send(20_000, { to: hot });
  chain.advanceSlots(1);
  expect([await isLanded(contended), await isLanded(dear)]).toEqual([false, true]);
});

test('recent priority fees show what the load pays, and where', async () => {
  const { chain, setLoad } = await stage({ blockComputeUnits: 6_000_000 });
  const hot = Keypair.generate().publicKey.toBase58();
  await setLoad({ share: 0.3, fromPrice: 2_000, toPrice: 8_000, accounts: [hot] });
  chain.advanceSlots(5);
  const rpc = createSolanaRpc(chain.rpcUrl);
  const feesOf = async (...accounts: string[]) =>
    (await rpc.getRecentPrioritizationFees(accounts.map((one) => kitAddress(one))).send())
      .slice(-4)
      // Each pays whole lamports, so its price is a little higher than the one that it offers.
      .map(({ prioritizationFee }) => Math.floor(Number(prioritizationFee) / 10) * 10);
  expect(await feesOf(hot)).toEqual([2_000, 2_000, 2_000, 2_000]);
  await setLoad();
  chain.advanceSlots(100);
  const quiet = (await rpc.getRecentPrioritizationFees([]).send()).length;
  chain.advanceSlots(100);
  expect(quiet).toBeGreaterThan(0);
  expect(await feesOf(hot)).toEqual([]);
});

test('the history of the load is forgotten, and leaves the place of other transactions alone', async () => {
  const { chain, send, isLanded, setLoad } = await stage();
  const mine = await send(1);
  await setLoad({ share: 0.5, fromPrice: 1 });
  for (let jump = 0; jump < 5; jump += 1) chain.advanceSlots(100);
  const { history, slot } = chain.ledger;
  const inBlock = history.bySlot(slot).length;
  expect(inBlock).toBeGreaterThan(0);
  expect(history.count()).toBeLessThanOrEqual(inBlock * 350 + 4);
  expect(await isLanded(mine)).toBe(false);
  expect(history.statusOf(mine)).not.toBeNull();
});

test.each([
  [{ share: 1 }],
  [{ fromPrice: 5, toPrice: 4 }],
  [{ fromPrice: 1, share: 0 }],
  [{ fromPrice: 1, share: 4 }],
  [{ fromPrice: -1 }],
  [{ fromPrice: 1, accounts: 'all' }],
  [{ fromPrice: 1, accounts: ['x'] }],
])('load %p is refused', async (load) => {
  const { chain, setLoad } = await stage();
  expect((await setLoad(load)).error?.code).toBe(-32602);
  expect(chain.ledger.production.load).toBeNull();
});

test('a chain without load lands everything at once, in the order in which it came', async () => {
  const { chain, send } = await stage({ blockComputeUnits: 60_000_000 });
  const sent = [await send(1), await send(90_000), await send(0), await send(500)];
  expect(orderOf(chain, sent, chain.ledger.slot)).toEqual([0, 1, 2, 3]);
});
