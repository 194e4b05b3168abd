import { afterEach, beforeEach, expect, test } from 'bun:test';
import { Connection, Keypair, SystemProgram, Transaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';

const SOL = 1_000_000_000;
let chain: SandboxChain;
let connection: Connection;
let payer: Keypair;

beforeEach(async () => {
  chain = await startChain({ slotMs: 'manual' });
  connection = new Connection(chain.rpcUrl, { commitment: 'processed', disableRetryOnRateLimit: true });
  payer = Keypair.generate();
  await connection.requestAirdrop(payer.publicKey, 100 * SOL);
});
afterEach(async () => {
  await chain.stop();
});

async function transfer(): Promise<{ bytes: Uint8Array; signature: string }> {
  const { blockhash } = await connection.getLatestBlockhash();
  const transaction = new Transaction({ feePayer: payer.publicKey, blockhash, lastValidBlockHeight: 0 });
  const toPubkey = Keypair.generate().publicKey;
  transaction.add(SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey, lamports: SOL }));
  transaction.sign(payer);
  return {
    bytes: transaction.serialize(),
    signature: bs58.encode(transaction.signature ?? new Uint8Array(64)),
  };
}

const landed = async (signature: string): Promise<boolean> =>
  (await connection.getSignatureStatus(signature)).value !== null;

function post(rpcUrl: string, method: string, ...params: unknown[]): Promise<Response> {
  return fetch(rpcUrl, { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) });
}

test('dropSends acknowledges the next N sends, which never land; the one after does', async () => {
  chain.setFaults({ dropSends: 2 });
  const { bytes, signature } = await transfer();
  expect(await connection.sendRawTransaction(bytes)).toBe(signature);
  expect(await connection.sendRawTransaction(bytes)).toBe(signature);
  chain.advanceSlots(5);
  expect(await landed(signature)).toBe(false);
  await connection.sendRawTransaction(bytes);
  expect(await landed(signature)).toBe(true);
});

test('delaySlots lands a send that many slots later, or never when its blockhash has expired', async () => {
  chain.setFaults({ delaySlots: 3 });
  const one = await transfer();
  await connection.sendRawTransaction(one.bytes);
  chain.advanceSlots(2);
  expect(await landed(one.signature)).toBe(false);
  chain.advanceSlots(1);
  expect(await landed(one.signature)).toBe(true);
  chain.setFaults({ delaySlots: 151 });
  const two = await transfer();
  await connection.sendRawTransaction(two.bytes);
  chain.advanceSlots(160);
  expect(await landed(two.signature)).toBe(false);
});

test('duplicateSends delivers twice and the chain takes it once', async () => {
  chain.setFaults({ duplicateSends: true });
  const { bytes, signature } = await transfer();
  await connection.sendRawTransaction(bytes);
  chain.advanceSlots(2);
  expect(await landed(signature)).toBe(true);
  expect(await connection.getBalance(payer.publicKey)).toBe(99 * SOL - 5_000);
});

test('wrongSignature answers with another signature while the real one lands', async () => {
  chain.setFaults({ wrongSignature: true });
  const { bytes, signature } = await transfer();
  const answered = await connection.sendRawTransaction(bytes);
  expect(bs58.decode(answered)).toHaveLength(64);
  expect(answered).not.toBe(signature);
  expect(await landed(signature)).toBe(true);
  expect(await landed(answered)).toBe(false);
});

test('a lagging node sees slots, heights, balances, statuses and blockhashes of k slots ago', async () => {
  chain.advanceSlots(10);
  const node = chain.addNode({ lagSlots: 5 });
  const behind = new Connection(node.rpcUrl, 'processed');
  const { bytes, signature } = await transfer();
  await connection.sendRawTransaction(bytes);
  expect(await behind.getSlot()).toBe((await connection.getSlot()) - 5);
  expect(await behind.getBlockHeight()).toBe((await connection.getBlockHeight()) - 5);
  expect(await behind.getBalance(payer.publicKey)).toBe(100 * SOL);
  expect((await behind.getSignatureStatus(signature)).value).toBeNull();
  const other = await transfer();
  const refused = behind.sendRawTransaction(other.bytes);
  await expect(refused).rejects.toThrow('Blockhash not found');
  const head = await connection.getSlot();
  await expect(behind.getBalanceAndContext(payer.publicKey, { minContextSlot: head })).rejects.toThrow(
    'Minimum context slot has not been reached',
  );
  chain.advanceSlots(5);
  expect((await behind.getSignatureStatus(signature)).value?.err).toBeNull();
  expect(await behind.getBalance(payer.publicKey)).toBe(99 * SOL - 5_000);
});

test('rateLimit answers 429 with Retry-After for N requests, then normally', async () => {
  chain.setFaults({ rateLimit: { requests: 2, retryAfterSeconds: 7 } });
  for (let request = 0; request < 2; request += 1) {
    const response = await post(chain.rpcUrl, 'getSlot');
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('7');
  }
  expect((await post(chain.rpcUrl, 'getSlot')).status).toBe(200);
});

test('a node can be unavailable while another one over the same ledger answers', async () => {
  const second = chain.addNode();
  chain.setFaults({ down: 'unavailable' });
  expect((await post(chain.rpcUrl, 'getSlot')).status).toBe(503);
  expect((await post(second.rpcUrl, 'getSlot')).status).toBe(200);
  chain.setFaults({});
  expect((await post(chain.rpcUrl, 'getSlot')).status).toBe(200);
});

test('a node can refuse connections and come back on the same port', async () => {
  chain.setFaults({ down: 'refuse' });
  await expect(post(chain.rpcUrl, 'getSlot')).rejects.toThrow();
  chain.setFaults({});
  expect((await post(chain.rpcUrl, 'getSlot')).status).toBe(200);
});

test('hideStatuses hides statuses of landed transactions', async () => {
  const { bytes, signature } = await transfer();
  await connection.sendRawTransaction(bytes);
  chain.setFaults({ hideStatuses: true });
  expect(await landed(signature)).toBe(false);
  chain.setFaults({});
  expect(await landed(signature)).toBe(true);
});

test('latencyMs holds answers back', async () => {
  chain.setFaults({ latencyMs: 60 });
  const startedAt = performance.now();
  await post(chain.rpcUrl, 'getSlot');
  // biome-ignore lint/plugin: a busy machine only takes longer; a timer may be early by a millisecond
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(55);
});

test('faults and slots can be driven over RPC, even while the node is otherwise down', async () => {
  await post(chain.rpcUrl, 'sandbox_setFaults', { down: 'unavailable' });
  expect((await post(chain.rpcUrl, 'getSlot')).status).toBe(503);
  const wrong = (await (await post(chain.rpcUrl, 'sandbox_setFaults', { dropSend: 1 })).json()) as {
    error: { code: number };
  };
  expect(wrong.error.code).toBe(-32602);
  await post(chain.rpcUrl, 'sandbox_setFaults', {});
  const slot = await connection.getSlot();
  await post(chain.rpcUrl, 'sandbox_advanceSlots', 4);
  expect(await connection.getSlot()).toBe(slot + 4);
  const { blockhash } = await connection.getLatestBlockhash();
  await post(chain.rpcUrl, 'sandbox_expireBlockhash', blockhash);
  expect((await connection.isBlockhashValid(blockhash)).value).toBe(false);
});

test('expiring every blockhash leaves a fresh one at each commitment', async () => {
  const before = await connection.getLatestBlockhash();
  await post(chain.rpcUrl, 'sandbox_expireBlockhash');
  expect((await connection.isBlockhashValid(before.blockhash)).value).toBe(false);
  for (const commitment of ['processed', 'confirmed', 'finalized'] as const) {
    const { blockhash } = await connection.getLatestBlockhash(commitment);
    expect((await connection.isBlockhashValid(blockhash, { commitment })).value).toBe(true);
  }
});
