import { describe, expect, test } from 'bun:test';
import { cpSync } from 'node:fs';
import { createSolanaRpc, signature as kitSignature } from '@solana/kit';
import { Connection, type Transaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import { SkippedSlots } from '../../sandbox/chain/skipped-slots.ts';
import { parseTransaction } from '../../sandbox/chain/wire-transaction.ts';
import { createChainClient, LAMPORTS_PER_SOL } from '../support/chain/chain-client.ts';
import { PoolChain } from '../support/market/pool-chain.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { createTempDir } from '../support/run/temp-dir.ts';

const FEE_LAMPORTS = 5_000;
const ANY_VERSION = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const;

/** A chain that is some slots old, and transfers of the payer on it. */
async function stage() {
  const client = await createChainClient();
  const { chain, connection, payer } = client;
  chain.advanceSlots(20);
  const transferAt = async (blockhash: string, sol = 1) => {
    const transaction: Transaction = await client.signed(blockhash, sol * LAMPORTS_PER_SOL);
    const bytes = transaction.serialize();
    return { bytes, signature: bs58.encode(transaction.signature ?? new Uint8Array(64)) };
  };
  return {
    ...client,
    transferAt,
    /** Lands a transfer whose blockhash is of a finalized block. */
    land: async (sol = 1) => {
      const { blockhash } = await connection.getLatestBlockhash('finalized');
      const transfer = await transferAt(blockhash, sol);
      const { error } = await client.send(transfer.bytes);
      expect(error).toBeUndefined();
      return transfer;
    },
    statusOf: async (signature: string) => (await connection.getSignatureStatus(signature)).value,
    balance: () => connection.getBalance(payer.publicKey),
  };
}

describe('the newest blocks', () => {
  test('disappear with their transactions: statuses, histories, prices and balances', async () => {
    const { chain, connection, payer, rpc, land, statusOf, balance } = await stage();
    const kept = await land(1);
    chain.advanceSlots(1);
    const parent = chain.ledger.slot - 1n;
    const gone = await land(2);
    chain.advanceSlots(1);
    const goneToo = await land(3);
    expect((await statusOf(gone.signature))?.confirmationStatus).toBe('confirmed');
    const { result } = await rpc('sandbox_fork', { blocks: 2 });
    expect(result).toEqual({
      parentSlot: Number(parent),
      slot: Number(parent) + 3,
      dropped: [gone.signature, goneToo.signature],
      landedAgain: [],
    });
    for (const { signature } of [gone, goneToo]) {
      expect(await statusOf(signature)).toBeNull();
      expect(await connection.getTransaction(signature, ANY_VERSION)).toBeNull();
    }
    expect((await statusOf(kept.signature))?.confirmationStatus).toBe('confirmed');
    expect(await balance()).toBe(99 * LAMPORTS_PER_SOL - FEE_LAMPORTS);
    chain.advanceSlots(1);
    const history = await connection.getSignaturesForAddress(payer.publicKey, {}, 'confirmed');
    expect(history[0]?.signature).toBe(kept.signature);
    expect(history).toHaveLength(2);
    const fees = await connection.getRecentPrioritizationFees();
    const priced = fees.map(({ slot }) => BigInt(slot));
    expect(priced).not.toContain(parent + 1n);
    expect(priced.length).toBeGreaterThan(0);
  });

  test('leave slots without a block: heights go on from the parent, and the next block names it', async () => {
    const { chain, connection, rpc } = await stage();
    const [slot, height] = [await connection.getSlot(), await connection.getBlockHeight()];
    chain.fork({ blocks: 3 });
    expect(await connection.getSlot()).toBe(slot + 1);
    expect(await connection.getBlockHeight()).toBe(height - 2);
    expect(await connection.getSlot('confirmed')).toBe(slot - 3);
    const behind = new Connection(chain.addNode({ lagSlots: 2 }).rpcUrl, 'processed');
    expect(await behind.getSlot()).toBe(slot - 3);
    chain.advanceSlots(1);
    const block = await connection.getBlock(slot + 1, ANY_VERSION);
    const parent = await connection.getBlock(slot - 3, ANY_VERSION);
    expect(block?.parentSlot).toBe(slot - 3);
    expect(block?.previousBlockhash).toBe(parent?.blockhash ?? '');
    expect(await connection.getBlocks(slot - 4, slot + 1, 'confirmed')).toEqual([
      slot - 4,
      slot - 3,
      slot + 1,
    ]);
    const limited = await rpc('getBlocksWithLimit', slot - 3, 2, { commitment: 'confirmed' });
    expect(limited.result).toEqual([slot - 3, slot + 1]);
    for (const method of ['getBlock', 'getBlockTime'])
      expect((await rpc(method, slot, { commitment: 'confirmed' })).error?.code).toBe(-32007);
  });

  test('let a dropped transaction land in another block with the same bytes, once', async () => {
    const { chain, send, land, statusOf, balance } = await stage();
    const { bytes, signature } = await land();
    const first = (await statusOf(signature))?.slot ?? 0;
    chain.advanceSlots(1);
    chain.fork({ blocks: 2 });
    expect((await send(bytes)).result).toBe(signature);
    expect((await statusOf(signature))?.slot).toBeGreaterThan(first);
    expect((await send(bytes)).error?.message).toContain('already been processed');
    chain.advanceSlots(8);
    expect((await statusOf(signature))?.confirmationStatus).toBe('finalized');
    expect(await balance()).toBe(99 * LAMPORTS_PER_SOL - FEE_LAMPORTS);
  });

  test('take their blockhashes with them: what was signed with one can never land', async () => {
    const { chain, connection, send, transferAt, latestBlockhash } = await stage();
    const blockhash = await latestBlockhash();
    const { bytes } = await transferAt(blockhash);
    chain.fork({ blocks: 1 });
    expect((await connection.isBlockhashValid(blockhash)).value).toBe(false);
    expect((await send(bytes)).error?.message).toContain('Blockhash not found');
  });

  test('may bring a blockhash back that had just expired: its last height comes a second time', async () => {
    const { chain, connection, send, transferAt } = await stage();
    const latest = await connection.getLatestBlockhash();
    const { bytes, signature } = await transferAt(latest.blockhash);
    chain.advanceSlots(153);
    expect(await connection.getBlockHeight()).toBe(latest.lastValidBlockHeight + 3);
    expect((await send(bytes)).error?.message).toContain('Blockhash not found');
    chain.fork({ blocks: 4 });
    expect(await connection.getBlockHeight()).toBe(latest.lastValidBlockHeight);
    expect((await send(bytes)).result).toBe(signature);
  });

  test('can land again at once, in their order', async () => {
    const { chain, land, statusOf } = await stage();
    const transfers = [await land(1), await land(2)];
    chain.advanceSlots(1);
    transfers.push(await land(3));
    const signatures = transfers.map(({ signature }) => signature);
    const { slot, dropped, landedAgain } = chain.fork({ blocks: 2, landAgain: true });
    expect({ dropped, landedAgain }).toEqual({ dropped: [], landedAgain: signatures });
    expect(chain.ledger.history.bySlot(slot).map(({ signature }) => signature)).toEqual(signatures);
    expect((await statusOf(signatures[0] ?? ''))?.confirmationStatus).toBe('processed');
  });
});

describe('the block of a transaction', () => {
  test('is dropped without it: the others land again, and it may be sent again', async () => {
    const { chain, connection, rpc, send, land, statusOf } = await stage();
    const before = await land(1);
    const named = await land(2);
    chain.advanceSlots(2);
    const after = await land(3);
    const { result } = await rpc('sandbox_fork', { signature: named.signature });
    expect(result).toMatchObject({
      dropped: [named.signature],
      landedAgain: [before.signature, after.signature],
    });
    const viaKit = createSolanaRpc(chain.rpcUrl);
    const { value } = await viaKit
      .getSignatureStatuses([before, named, after].map(({ signature }) => kitSignature(signature)))
      .send();
    expect(value.map((status) => status?.confirmationStatus)).toEqual(['processed', undefined, 'processed']);
    expect((await send(named.bytes)).result).toBe(named.signature);
    chain.advanceSlots(1);
    expect((await statusOf(named.signature))?.confirmationStatus).toBe('confirmed');
    const landed = await connection.getTransaction(named.signature, ANY_VERSION);
    expect(landed?.slot).toBe(Number(chain.ledger.slot) - 1);
  });

  test('takes others with it when they are not to land again', async () => {
    const { chain, land, statusOf } = await stage();
    const [other, named] = [await land(1), await land(2)];
    const { dropped } = chain.fork({ signature: named.signature, landAgain: false });
    expect(dropped).toEqual([other.signature, named.signature]);
    expect(await statusOf(other.signature)).toBeNull();
  });
});

describe('no fork', () => {
  test('drops a finalized block, and nothing changes when one is asked for', async () => {
    const { chain, rpc, land, statusOf, balance } = await stage();
    const { signature } = await land();
    chain.advanceSlots(8);
    expect((await statusOf(signature))?.confirmationStatus).toBe('finalized');
    const slot = chain.ledger.slot;
    for (const request of [{ signature }, { blocks: 9 }]) {
      const { error } = await rpc('sandbox_fork', request);
      expect(error?.code).toBe(-32602);
      expect(error?.message).toContain('finalized');
    }
    expect(chain.ledger.slot).toBe(slot);
    expect((await statusOf(signature))?.confirmationStatus).toBe('finalized');
    chain.fork({ blocks: 8 });
    expect((await statusOf(signature))?.confirmationStatus).toBe('finalized');
    expect(await balance()).toBe(99 * LAMPORTS_PER_SOL - FEE_LAMPORTS);
  });

  test.each([
    [{}],
    [{ blocks: 0 }],
    [{ blocks: -1 }],
    [{ blocks: 1, signature: bs58.encode(new Uint8Array(64)) }],
    [{ blocks: 1, landAgain: 'yes' }],
    [{ signature: 'short' }],
    [{ signature: bs58.encode(new Uint8Array(64).fill(1)) }],
  ])('is made of %p', async (request) => {
    const { chain, rpc } = await stage();
    const { slot } = chain.ledger;
    expect((await rpc('sandbox_fork', request)).error?.code).toBe(-32602);
    expect(chain.ledger.slot).toBe(slot);
  });
});

/** Every account that the chain's transactions name, with its state. */
function accountsOf({ ledger }: SandboxChain, wires: readonly Uint8Array[]) {
  const keys = wires.flatMap((wire) => parseTransaction(wire).message.staticKeys);
  return [...new Set(keys)].sort().map((address) => ({ address, ...ledger.vm.getAccount(address) }));
}

test('every account of launches and swaps goes back exactly', async () => {
  const pools = await PoolChain.start('manual');
  const { chain } = pools;
  atEnd(() => chain.stop());
  const { ledger } = chain;
  pools.launch();
  chain.advanceSlots(20);
  pools.trade(0);
  chain.advanceSlots(1);
  const first = ledger.slot;
  const snapshotBytes = ledger.vm.snapshot().length;
  for (let slot = 0; slot < 5; slot += 1) {
    pools.launch();
    for (let trade = 0; trade < 3; trade += 1) pools.trade(trade);
    chain.advanceSlots(1);
  }
  const wires = ledger.history.sinceSlot(first).map(({ wire }) => wire);
  const after = accountsOf(chain, wires);
  const atFirst = after.map(({ address }) => ledger.accountAt(address, first - 1n));
  chain.fork({ blocks: 6 });
  expect(accountsOf(chain, wires)).toEqual(
    after.map(({ address }, index) => ({ address, ...atFirst[index] })),
  );
  expect(ledger.vm.snapshot().length).toBe(snapshotBytes);
  expect(atFirst.filter((state) => state === null).length).toBeGreaterThan(5);
});

test('a fork that lands everything again ends in the state that it left', async () => {
  const { chain, land } = await stage();
  for (let sol = 1; sol < 8; sol += 1) {
    await land(sol);
    if (sol % 3 === 0) chain.advanceSlots(1);
  }
  const wires = chain.ledger.history.sinceSlot(0n).map(({ wire }) => wire);
  const before = accountsOf(chain, wires);
  expect(chain.fork({ blocks: 3, landAgain: true }).landedAgain).toHaveLength(7);
  expect(accountsOf(chain, wires)).toEqual(before);
});

/** A socket whose notifications are in order, up to the response of each call. */
async function listen(url: string) {
  const socket = new WebSocket(url);
  const heard: { method: string; result: unknown }[] = [];
  const responses: (() => void)[] = [];
  socket.onmessage = ({ data }) => {
    const { method, params } = JSON.parse(String(data));
    if (method === undefined) responses.shift()?.();
    else heard.push({ method, result: params.result });
  };
  await new Promise((resolve) => {
    socket.onopen = resolve;
  });
  atEnd(async () => socket.close());
  return {
    call: (method: string, ...params: unknown[]) =>
      new Promise<void>((resolve) => {
        responses.push(resolve);
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
      }),
    resultsOf: (name: string) => heard.filter(({ method }) => method === name).map(({ result }) => result),
  };
}

test('subscribers see accounts go back, and no finality of what was dropped', async () => {
  const { chain, payer, land } = await stage();
  const socket = await listen(chain.socketUrl);
  await socket.call('accountSubscribe', payer.publicKey.toBase58(), { commitment: 'processed' });
  await socket.call('slotSubscribe');
  const { signature, bytes } = await land();
  await socket.call('signatureSubscribe', signature, { commitment: 'finalized' });
  await socket.call('logsSubscribe', { mentions: [payer.publicKey.toBase58()] }, { commitment: 'confirmed' });
  chain.advanceSlots(1);
  const head = Number(chain.ledger.slot);
  chain.fork({ blocks: 2 });
  chain.advanceSlots(8);
  await socket.call('unknown');
  expect(socket.resultsOf('signatureNotification')).toEqual([]);
  expect(chain.ledger.land(parseTransaction(bytes)).landed).toBe(true);
  chain.advanceSlots(8);
  await socket.call('unknown');
  expect(socket.resultsOf('accountNotification')).toMatchObject([
    { value: { lamports: 99 * LAMPORTS_PER_SOL - FEE_LAMPORTS } },
    { value: { lamports: 100 * LAMPORTS_PER_SOL } },
    { value: { lamports: 99 * LAMPORTS_PER_SOL - FEE_LAMPORTS } },
  ]);
  expect(socket.resultsOf('signatureNotification')).toMatchObject([{ value: { err: null } }]);
  // Confirmed twice, in two blocks.
  expect(socket.resultsOf('logsNotification')).toMatchObject([
    { value: { signature } },
    { value: { signature } },
  ]);
  const slots = socket.resultsOf('slotNotification');
  expect(slots).toContainEqual({ slot: head + 1, parent: head - 2, root: expect.any(Number) });
});

test('a restart keeps what was dropped, and no fork goes back before it', async () => {
  const dataDir = createTempDir('forks');
  const first = await startChain({ slotMs: 'manual', dataDir });
  first.advanceSlots(10);
  const before = new Connection(first.rpcUrl, 'processed');
  const response = await fetch(first.rpcUrl, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sandbox_fork', params: [{ blocks: 3 }] }),
  });
  expect(response.status).toBe(200);
  const [slot, height] = [await before.getSlot(), await before.getBlockHeight()];
  const { blockhash } = await before.getLatestBlockhash();
  // A stop saves as well, so what a kill would leave is read before it.
  const saved = new Connection(await rpcUrlOf(dataDir), 'processed');
  expect([await saved.getSlot(), await saved.getBlockHeight()]).toEqual([slot, height]);
  await first.stop();
  const second = await startChain({ slotMs: 'manual', dataDir });
  atEnd(() => second.stop());
  const after = new Connection(second.rpcUrl, 'processed');
  expect([await after.getSlot(), await after.getBlockHeight()]).toEqual([slot, height]);
  expect((await after.isBlockhashValid(blockhash)).value).toBe(true);
  second.advanceSlots(1);
  expect(() => second.fork({ blocks: 2 })).toThrow('older than this run');
  expect(second.fork({ blocks: 1 }).parentSlot).toBe(BigInt(slot));
});

/** Starts another chain on a copy of the files, and returns its address. */
async function rpcUrlOf(dataDir: string): Promise<string> {
  const copy = createTempDir('forks-copy');
  cpSync(dataDir, copy, { recursive: true });
  const chain = await startChain({ slotMs: 'manual', dataDir: copy });
  atEnd(() => chain.stop());
  return chain.rpcUrl;
}

test('skipped slots are counted as a walk over all slots counts them', () => {
  const skipped = new SkippedSlots();
  const isSkipped = new Set<bigint>();
  let head = 2_000n;
  for (let fork = 1n; fork < 40n; fork += 1n) {
    head += (fork * 7n) % 5n;
    const first = head - ((fork * 3n) % 6n);
    if (first <= 2_000n) continue;
    skipped.add(first, head);
    for (let slot = first; slot <= head; slot += 1n) isSkipped.add(slot);
    head += 1n;
  }
  const restored = new SkippedSlots(skipped.ranges);
  expect(restored.total).toBe(BigInt(isSkipped.size));
  let height = 1_000n;
  let newest = 2_000n;
  for (let slot = 2_001n; slot <= head; slot += 1n) {
    expect(restored.parentOf(slot)).toBe(newest);
    if (!isSkipped.has(slot)) {
      height += 1n;
      newest = slot;
    }
    expect(restored.has(slot)).toBe(isSkipped.has(slot));
    expect(restored.newestBlockAt(slot)).toBe(newest);
    expect(restored.heightAt(slot)).toBe(height);
  }
});
