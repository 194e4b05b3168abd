import { describe, expect, test } from 'bun:test';
import { ComputeBudgetProgram, Keypair, SystemProgram, Transaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { createChainClient, LAMPORTS_PER_SOL } from '../support/chain/chain-client.ts';

const { chain, connection, payer, rpc, send, signed, latestBlockhash } = await createChainClient();

async function statusOf(signature: string): Promise<string | null> {
  const { value } = await connection.getSignatureStatuses([signature]);
  return value[0]?.confirmationStatus ?? null;
}

function signatureOf(transaction: Transaction): string {
  return bs58.encode(transaction.signature ?? new Uint8Array(64));
}

describe('blockhash window', () => {
  test('a blockhash is good up to its last valid block height and not one block longer', async () => {
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash();
    const early = await signed(blockhash, LAMPORTS_PER_SOL);
    const late = await signed(blockhash, LAMPORTS_PER_SOL);
    expect(lastValidBlockHeight - (await connection.getBlockHeight())).toBe(150);

    chain.advanceSlots(150);
    expect(await connection.getBlockHeight()).toBe(lastValidBlockHeight);
    expect((await connection.isBlockhashValid(blockhash)).value).toBe(true);
    expect((await send(early.serialize())).result).toBe(signatureOf(early));

    chain.advanceSlots(1);
    expect((await connection.isBlockhashValid(blockhash)).value).toBe(false);
    const refused = await send(late.serialize());
    expect(refused.error?.code).toBe(-32002);
    expect(refused.error?.data?.err).toBe('BlockhashNotFound');
  });

  test('block height and slot are far enough apart that mixing them up fails', async () => {
    expect((await connection.getSlot()) - (await connection.getBlockHeight())).toBeGreaterThan(150);
  });

  test('a blockhash newer than the preflight commitment is unknown to that preflight', async () => {
    const transaction = await signed(await latestBlockhash(), LAMPORTS_PER_SOL);
    const refused = await send(transaction.serialize(), { preflightCommitment: 'finalized' });
    expect(refused.error?.data?.err).toBe('BlockhashNotFound');
  });
});

describe('commitment ladder', () => {
  test('a landed transaction climbs from processed over confirmed to finalized', async () => {
    const transaction = await signed(await latestBlockhash(), LAMPORTS_PER_SOL);
    const signature = await connection.sendRawTransaction(transaction.serialize());
    expect(await statusOf(signature)).toBe('processed');
    expect(await connection.getTransaction(signature, { commitment: 'confirmed' })).toBeNull();
    chain.advanceSlots(1);
    expect(await statusOf(signature)).toBe('confirmed');
    expect(await connection.getTransaction(signature, { commitment: 'confirmed' })).not.toBeNull();
    chain.advanceSlots(6);
    expect(await statusOf(signature)).toBe('confirmed');
    chain.advanceSlots(1);
    expect(await statusOf(signature)).toBe('finalized');
  });
});

describe('duplicates', () => {
  test('a second send is AlreadyProcessed with preflight, and acknowledged but without effect without it', async () => {
    const transaction = await signed(await latestBlockhash(), LAMPORTS_PER_SOL);
    const bytes = transaction.serialize();
    await send(bytes);
    const balance = await connection.getBalance(payer.publicKey);
    const again = await send(bytes);
    await expect(again.error?.code).toBe(-32002);
    expect(again.error?.data?.err).toBe('AlreadyProcessed');
    expect((await send(bytes, { skipPreflight: true })).result).toBe(signatureOf(transaction));
    expect(await connection.getBalance(payer.publicKey)).toBe(balance);
  });
});

describe('failures', () => {
  test('a transaction that fails in execution lands with its error, pays its fee and appears in history', async () => {
    const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_001 });
    const transaction = await signed(await latestBlockhash(), 1_000_000 * LAMPORTS_PER_SOL, [price]);
    const before = await connection.getBalance(payer.publicKey);
    const refused = await send(transaction.serialize());
    expect(refused.error?.code).toBe(-32002);
    expect(refused.error?.data?.err).toEqual({ InstructionError: [1, { Custom: 1 }] });
    expect(String(refused.error?.data?.logs)).toContain('insufficient lamports');
    expect(await connection.getBalance(payer.publicKey)).toBe(before);

    await send(transaction.serialize(), { skipPreflight: true });
    chain.advanceSlots(1);
    const landed = await connection.getTransaction(signatureOf(transaction), { commitment: 'confirmed' });
    expect(landed?.meta?.err).toEqual({ InstructionError: [1, { Custom: 1 }] });
    // 5,000 for the signature and 6,000 units at 1.000001 lamports, rounded up.
    expect(landed?.meta?.fee).toBe(11_001);
    expect(before - (await connection.getBalance(payer.publicKey))).toBe(11_001);
    const history = await connection.getSignaturesForAddress(payer.publicKey, { limit: 1 }, 'confirmed');
    expect(history[0]?.signature).toBe(signatureOf(transaction));
    expect(history[0]?.err).toEqual({ InstructionError: [1, { Custom: 1 }] });
  });

  test('without preflight an unacceptable transaction is acknowledged and leaves no trace', async () => {
    const unknown = await signed(bs58.encode(new Uint8Array(32).fill(9)), LAMPORTS_PER_SOL);
    expect((await send(unknown.serialize(), { skipPreflight: true })).result).toBe(signatureOf(unknown));
    const poor = Keypair.generate();
    const penniless = new Transaction({
      feePayer: poor.publicKey,
      blockhash: await latestBlockhash(),
      lastValidBlockHeight: 0,
    });
    penniless.add(
      SystemProgram.transfer({ fromPubkey: poor.publicKey, toPubkey: payer.publicKey, lamports: 1 }),
    );
    penniless.sign(poor);
    expect((await send(penniless.serialize(), { skipPreflight: true })).result).toBe(signatureOf(penniless));
    chain.advanceSlots(10);
    for (const transaction of [unknown, penniless])
      expect(
        await connection.getSignatureStatus(signatureOf(transaction), {
          searchTransactionHistory: true,
        }),
      ).toMatchObject({ value: null });
  });
});

describe('simulation', () => {
  test('a simulation reports units and logs, changes nothing, and can replace the blockhash', async () => {
    const transaction = await signed(bs58.encode(new Uint8Array(32).fill(3)), LAMPORTS_PER_SOL);
    const before = await connection.getBalance(payer.publicKey);
    const text = Buffer.from(transaction.serialize()).toString('base64');
    const base = { encoding: 'base64', commitment: 'processed' };
    const stale = await rpc('simulateTransaction', text, base);
    expect(stale.result).toMatchObject({ value: { err: 'BlockhashNotFound' } });
    const replaced = await rpc('simulateTransaction', text, { ...base, replaceRecentBlockhash: true });
    expect(replaced.result).toMatchObject({
      value: { err: null, unitsConsumed: 150, replacementBlockhash: { blockhash: await latestBlockhash() } },
    });
    const both = await rpc('simulateTransaction', text, {
      ...base,
      replaceRecentBlockhash: true,
      sigVerify: true,
    });
    expect(both.error?.code).toBe(-32602);
    expect(await connection.getBalance(payer.publicKey)).toBe(before);
  });
});
