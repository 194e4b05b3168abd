import { expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSolanaRpc, address as kitAddress } from '@solana/kit';
import {
  ComputeBudgetProgram,
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  type PublicKey,
  SystemProgram,
  Transaction,
} from '@solana/web3.js';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import { atEnd } from '../support/run/cleanup.ts';

const payers = [Keypair.generate(), Keypair.generate()] as const;

async function open(dataDir?: string) {
  const chain = await startChain({ slotMs: 'manual', ...(dataDir === undefined ? {} : { dataDir }) });
  return { chain, connection: new Connection(chain.rpcUrl, 'processed') };
}

async function fund({ chain, connection }: { chain: SandboxChain; connection: Connection }) {
  for (const { publicKey } of payers) await connection.requestAirdrop(publicKey, 10 * LAMPORTS_PER_SOL);
  chain.advanceSlots(1);
}

/** Lands one transfer that pays `microLamports` for each of 200,000 units. */
async function pay(
  connection: Connection,
  payer: Keypair,
  toPubkey: PublicKey,
  microLamports: number,
  lamports = LAMPORTS_PER_SOL,
) {
  const transaction = new Transaction({
    feePayer: payer.publicKey,
    ...(await connection.getLatestBlockhash()),
  }).add(
    ComputeBudgetProgram.setComputeUnitLimit({ units: 200_000 }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports }),
    SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey, lamports }),
  );
  transaction.sign(payer);
  await connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true });
}

async function priceIn(connection: Connection, slot: bigint, ...lockedWritableAccounts: PublicKey[]) {
  const fees = await connection.getRecentPrioritizationFees({ lockedWritableAccounts });
  expect(fees.length).toBeLessThanOrEqual(150);
  return fees.find((one) => one.slot === Number(slot))?.prioritizationFee;
}

test('recent priority fees are what landed transactions paid, the dearest of the locked accounts in each slot', async () => {
  const opened = await open();
  const { chain, connection } = opened;
  atEnd(() => chain.stop());
  await fund(opened);
  const [hot, quiet] = [Keypair.generate().publicKey, Keypair.generate().publicKey];
  const slot = chain.ledger.slot;
  await pay(connection, payers[0], hot, 5_000);
  await pay(connection, payers[0], hot, 9_000);
  await pay(connection, payers[1], quiet, 1_000);
  // A failed transaction has paid as well.
  await pay(connection, payers[1], quiet, 700, 1_000 * LAMPORTS_PER_SOL);
  expect(await priceIn(connection, slot)).toBeUndefined();
  chain.advanceSlots(1);
  expect(await priceIn(connection, slot)).toBe(700);
  expect(await priceIn(connection, slot, hot)).toBe(5_000);
  expect(await priceIn(connection, slot, quiet)).toBe(700);
  expect(await priceIn(connection, slot, quiet, hot)).toBe(5_000);
  expect(await priceIn(connection, slot, Keypair.generate().publicKey)).toBe(700);
  // Only what is locked for writing counts.
  expect(await priceIn(connection, slot, SystemProgram.programId)).toBe(700);
  // A block without transactions has no entry.
  chain.advanceSlots(1);
  expect(await priceIn(connection, slot + 1n)).toBeUndefined();
  expect(await priceIn(connection, slot - 1n, hot)).toBe(0);
  const viaKit = await createSolanaRpc(chain.rpcUrl)
    .getRecentPrioritizationFees([kitAddress(hot.toBase58())])
    .send();
  expect(viaKit.find((one) => one.slot === slot)?.prioritizationFee as bigint).toBe(5_000n);

  chain.advanceSlots(148);
  expect(await priceIn(connection, slot, hot)).toBe(5_000);
  chain.advanceSlots(1);
  expect(await priceIn(connection, slot, hot)).toBeUndefined();
});

test('too many accounts are refused', async () => {
  const { chain, connection } = await open();
  atEnd(() => chain.stop());
  const many = Array.from({ length: 129 }, () => SystemProgram.programId);
  await expect(connection.getRecentPrioritizationFees({ lockedWritableAccounts: many })).rejects.toThrow(
    'Too many inputs provided; max 128',
  );
});

test('a restarted chain still knows what was paid', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'priority-fees-'));
  atEnd(() => rm(dataDir, { recursive: true }));
  const first = await open(dataDir);
  await fund(first);
  const hot = Keypair.generate().publicKey;
  const slot = first.chain.ledger.slot;
  await pay(first.connection, payers[0], hot, 4_000);
  first.chain.advanceSlots(1);
  await first.chain.stop();
  const { chain, connection } = await open(dataDir);
  atEnd(() => chain.stop());
  expect(await priceIn(connection, slot, hot)).toBe(4_000);
});
