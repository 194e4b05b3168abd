import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection, Keypair, SystemProgram, Transaction } from '@solana/web3.js';
import { startChain } from '../../sandbox/chain/server.ts';

const SOL = 1_000_000_000;
const MAIN = join(import.meta.dir, '../../sandbox/chain/main.ts');
let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sandbox-chain-'));
});
afterAll(async () => {
  await rm(root, { recursive: true });
});

test('a restart keeps genesis, slot, accounts, statuses, history, blockhashes and duplicate protection', async () => {
  const dataDir = join(root, 'manual');
  const payer = Keypair.generate();
  const first = await startChain({ slotMs: 'manual', dataDir });
  const before = new Connection(first.rpcUrl, 'processed');
  await before.requestAirdrop(payer.publicKey, 10 * SOL);
  first.advanceSlots(3);
  const latest = await before.getLatestBlockhash();
  const transaction = new Transaction({ feePayer: payer.publicKey, ...latest });
  const toPubkey = Keypair.generate().publicKey;
  transaction.add(SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey, lamports: SOL }));
  transaction.sign(payer);
  const signature = await before.sendRawTransaction(transaction.serialize());
  const genesis = await before.getGenesisHash();
  const slot = await before.getSlot();
  await first.stop();

  const second = await startChain({ slotMs: 'manual', dataDir });
  const after = new Connection(second.rpcUrl, 'processed');
  expect(await after.getGenesisHash()).toBe(genesis);
  expect(await after.getSlot()).toBe(slot);
  expect(await after.getBalance(toPubkey)).toBe(SOL);
  expect((await after.getSignatureStatus(signature)).value?.slot).toBe(slot);
  expect((await after.isBlockhashValid(latest.blockhash)).value).toBe(true);
  await expect(after.sendRawTransaction(transaction.serialize())).rejects.toThrow('already been processed');
  second.advanceSlots(1);
  const history = await after.getSignaturesForAddress(payer.publicKey, {}, 'confirmed');
  expect(history.map((one) => one.signature)[0]).toBe(signature);
  expect(history).toHaveLength(2);
  await second.stop();
});

test('a ticking chain never hands out an old slot or time again, also when its last seconds were lost', async () => {
  const dataDir = join(root, 'ticking');
  let nowMs = 1_800_000_000_000;
  const options = { slotMs: 400, dataDir, nowMs: () => nowMs };
  const first = await startChain(options);
  nowMs += 60_000;
  const client = new Connection(first.rpcUrl, 'processed');
  const slot = await client.getSlot();
  const time = await client.getBlockTime(slot);
  // Only the state at the start was saved: what a kill leaves behind.
  first.ledger.close();
  const second = await startChain(options);
  const again = new Connection(second.rpcUrl, 'processed');
  expect(await again.getSlot()).toBeGreaterThan(slot);
  expect(await again.getBlockTime(await again.getSlot())).toBeGreaterThanOrEqual(time ?? 0);
  await second.stop();
});

test('a data directory serves one chain at a time', async () => {
  const dataDir = join(root, 'shared');
  const first = await startChain({ slotMs: 'manual', dataDir });
  await expect(startChain({ slotMs: 'manual', dataDir })).rejects.toThrow('is another chain running on it?');
  await first.stop();
});

interface ChainProcess {
  readonly process: Bun.Subprocess<'ignore', 'pipe', 'inherit'>;
  readonly rpcUrl: string;
}

async function startProcess(dataDir: string): Promise<ChainProcess> {
  const process = Bun.spawn(['bun', MAIN, '--port', '0', '--data', dataDir, '--slot-ms', '20'], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const reader = process.stdout.getReader();
  let text = '';
  while (!text.includes('\n')) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the chain ended early: ${text}`);
    text += new TextDecoder().decode(value);
  }
  const line = JSON.parse(text) as { ready: boolean; rpcUrl: string };
  expect(line.ready).toBe(true);
  return { process, rpcUrl: line.rpcUrl };
}

test('the process prints one ready line, saves on SIGTERM and exits 0; after kill -9 it starts from its last save', async () => {
  const dataDir = join(root, 'process');
  const address = Keypair.generate().publicKey;
  const first = await startProcess(dataDir);
  await new Connection(first.rpcUrl).requestAirdrop(address, 5 * SOL);
  first.process.kill('SIGTERM');
  expect(await first.process.exited).toBe(0);

  const second = await startProcess(dataDir);
  expect(await new Connection(second.rpcUrl).getBalance(address, 'processed')).toBe(5 * SOL);
  await new Connection(second.rpcUrl).requestAirdrop(address, SOL);
  second.process.kill('SIGKILL');
  await second.process.exited;

  const third = await startProcess(dataDir);
  const client = new Connection(third.rpcUrl, 'processed');
  // The second airdrop came after the last save, or just before one: either way accounts and history agree.
  const history = await client.getSignaturesForAddress(address, {}, 'confirmed');
  expect([1, 2]).toContain(history.length);
  expect(await client.getBalance(address)).toBe(history.length === 1 ? 5 * SOL : 6 * SOL);
  third.process.kill('SIGTERM');
  expect(await third.process.exited).toBe(0);
});
