import { describe, expect, test } from 'bun:test';
import { createHash, createPublicKey, verify } from 'node:crypto';
import * as ed from '@noble/ed25519';
import { PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { createChainClient, LAMPORTS_PER_SOL } from '../support/chain/chain-client.ts';

const { connection, payer, send, signed, latestBlockhash } = await createChainClient();

async function statusOf(signature: string): Promise<string | null> {
  const { value } = await connection.getSignatureStatuses([signature]);
  return value[0]?.confirmationStatus ?? null;
}

describe('strict signatures', () => {
  const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
  const toScalar = (bytes: Uint8Array): bigint =>
    BigInt(`0x${Buffer.from(Uint8Array.from(bytes).reverse()).toString('hex')}`);
  const toBytes = (scalar: bigint): Uint8Array =>
    Uint8Array.from(Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex')).reverse();
  const identity = Uint8Array.of(1, ...new Uint8Array(31));

  function withSignature(transaction: Transaction, signature: Uint8Array): Uint8Array {
    const bytes = Uint8Array.from(transaction.serialize({ verifySignatures: false }));
    bytes.set(signature, 1);
    return bytes;
  }

  async function expectRefused(bytes: Uint8Array): Promise<void> {
    expect((await send(bytes)).error?.code).toBe(-32003);
    expect((await send(bytes, { skipPreflight: true })).error).toBeUndefined();
    expect(await statusOf(bs58.encode(bytes.subarray(1, 65)))).toBeNull();
  }

  test('a missing or altered signature is refused', async () => {
    const transaction = await signed(await latestBlockhash(), LAMPORTS_PER_SOL);
    await expectRefused(withSignature(transaction, new Uint8Array(64)));
    const altered = Uint8Array.from(transaction.signature ?? []);
    altered[5] = (altered[5] ?? 0) ^ 1;
    await expectRefused(withSignature(transaction, altered));
  });

  test('S + L is refused', async () => {
    const transaction = await signed(await latestBlockhash(), LAMPORTS_PER_SOL);
    const honest = Uint8Array.from(transaction.signature ?? []);
    const malleated = Uint8Array.of(
      ...honest.subarray(0, 32),
      ...toBytes(toScalar(honest.subarray(32)) + ORDER),
    );
    await expectRefused(withSignature(transaction, malleated));
  });

  test('a small-order R is refused although the equation holds', async () => {
    const transaction = await signed(await latestBlockhash(), LAMPORTS_PER_SOL);
    const { scalar } = await ed.utils.getExtendedPublicKeyAsync(payer.secretKey.subarray(0, 32));
    const digest = createHash('sha512')
      .update(identity)
      .update(payer.publicKey.toBytes())
      .update(transaction.serializeMessage())
      .digest();
    const s = (toScalar(digest) * scalar) % ORDER;
    const forged = Uint8Array.of(...identity, ...toBytes(s));
    const key = {
      kty: 'OKP',
      crv: 'Ed25519',
      x: Buffer.from(payer.publicKey.toBytes()).toString('base64url'),
    };
    const publicKey = createPublicKey({ key, format: 'jwk' });
    expect(verify(null, transaction.serializeMessage(), publicKey, forged)).toBe(true);
    await expectRefused(withSignature(transaction, forged));
  });

  test('a small-order fee payer cannot be signed for by anyone', async () => {
    const nobody = new PublicKey(identity);
    await connection.requestAirdrop(nobody, LAMPORTS_PER_SOL);
    const transaction = new Transaction({
      feePayer: nobody,
      blockhash: await latestBlockhash(),
      lastValidBlockHeight: 0,
    });
    transaction.add(
      SystemProgram.transfer({ fromPubkey: nobody, toPubkey: payer.publicKey, lamports: 1_000 }),
    );
    const unsigned = transaction.serialize({ requireAllSignatures: false, verifySignatures: false });
    const forged = Uint8Array.from(unsigned);
    forged.set(Uint8Array.of(...identity, ...new Uint8Array(32)), 1);
    await expectRefused(forged);
    expect(await connection.getBalance(nobody)).toBe(LAMPORTS_PER_SOL);
  });
});
