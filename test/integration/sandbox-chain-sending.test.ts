import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash, createPublicKey, verify } from 'node:crypto';
import * as ed from '@noble/ed25519';
import {
  appendTransactionMessageInstruction,
  type Blockhash,
  createKeyPairSignerFromBytes,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import {
  ComputeBudgetProgram,
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';

const SOL = 1_000_000_000;
let chain: SandboxChain;
let connection: Connection;
let payer: Keypair;

beforeAll(async () => {
  chain = await startChain({ slotMs: 'manual' });
  connection = new Connection(chain.rpcUrl, 'processed');
  payer = await fundedWallet();
});
afterAll(async () => {
  await chain.stop();
});

async function fundedWallet(): Promise<Keypair> {
  const wallet = Keypair.generate();
  await connection.requestAirdrop(wallet.publicKey, 100 * SOL);
  return wallet;
}

interface RpcAnswer {
  readonly result?: unknown;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: Record<string, unknown>;
  };
}

async function rpc(method: string, ...params: unknown[]): Promise<RpcAnswer> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(chain.rpcUrl, { method: 'POST', body });
  return response.json() as Promise<RpcAnswer>;
}

function send(bytes: Uint8Array, config: Record<string, unknown> = {}): Promise<RpcAnswer> {
  const text = Buffer.from(bytes).toString('base64');
  return rpc('sendTransaction', text, {
    encoding: 'base64',
    preflightCommitment: 'processed',
    ...config,
  });
}

async function signed(
  blockhash: string,
  lamports: number,
  first: TransactionInstruction[] = [],
): Promise<Transaction> {
  const transaction = new Transaction({ feePayer: payer.publicKey, blockhash, lastValidBlockHeight: 0 });
  const toPubkey = Keypair.generate().publicKey;
  transaction.add(...first, SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey, lamports }));
  transaction.sign(payer);
  return transaction;
}

async function latestBlockhash(): Promise<string> {
  return (await connection.getLatestBlockhash()).blockhash;
}

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
    const early = await signed(blockhash, SOL);
    const late = await signed(blockhash, SOL);
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
    const transaction = await signed(await latestBlockhash(), SOL);
    const refused = await send(transaction.serialize(), { preflightCommitment: 'finalized' });
    expect(refused.error?.data?.err).toBe('BlockhashNotFound');
  });
});

describe('commitment ladder', () => {
  test('a landed transaction climbs from processed over confirmed to finalized', async () => {
    const transaction = await signed(await latestBlockhash(), SOL);
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
    const transaction = await signed(await latestBlockhash(), SOL);
    const bytes = transaction.serialize();
    await send(bytes);
    const balance = await connection.getBalance(payer.publicKey);
    const again = await send(bytes);
    expect(again.error?.code).toBe(-32002);
    expect(again.error?.data?.err).toBe('AlreadyProcessed');
    expect((await send(bytes, { skipPreflight: true })).result).toBe(signatureOf(transaction));
    expect(await connection.getBalance(payer.publicKey)).toBe(balance);
  });
});

describe('failures', () => {
  test('a transaction that fails in execution lands with its error, pays its fee and appears in history', async () => {
    const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_001 });
    const transaction = await signed(await latestBlockhash(), 1_000_000 * SOL, [price]);
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
    const unknown = await signed(bs58.encode(new Uint8Array(32).fill(9)), SOL);
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
    const transaction = await signed(await latestBlockhash(), SOL);
    await expectRefused(withSignature(transaction, new Uint8Array(64)));
    const altered = Uint8Array.from(transaction.signature ?? []);
    altered[5] = (altered[5] ?? 0) ^ 1;
    await expectRefused(withSignature(transaction, altered));
  });

  test('S + L is refused', async () => {
    const transaction = await signed(await latestBlockhash(), SOL);
    const honest = Uint8Array.from(transaction.signature ?? []);
    const malleated = Uint8Array.of(
      ...honest.subarray(0, 32),
      ...toBytes(toScalar(honest.subarray(32)) + ORDER),
    );
    await expectRefused(withSignature(transaction, malleated));
  });

  test('a small-order R is refused although the equation holds', async () => {
    const transaction = await signed(await latestBlockhash(), SOL);
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
    await connection.requestAirdrop(nobody, SOL);
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
    expect(await connection.getBalance(nobody)).toBe(SOL);
  });
});

describe('wire form', () => {
  test('trailing bytes, aliased lengths, oversize and non-canonical base64 are invalid params', async () => {
    const bytes = (await signed(await latestBlockhash(), SOL)).serialize();
    const trailing = Uint8Array.of(...bytes, 0);
    // The key count behind signature and header, written in two bytes where one is enough.
    const aliased = Uint8Array.of(...bytes.subarray(0, 68), 0x83, 0x00, ...bytes.subarray(69));
    expect(bytes[68]).toBe(3);
    const oversize = new Uint8Array(1233).fill(1);
    for (const bad of [trailing, aliased, oversize, new Uint8Array(0)])
      expect((await send(bad)).error?.code).toBe(-32602);
    const text = Buffer.from(bytes).toString('base64');
    expect((await rpc('sendTransaction', `${text}\n`, { encoding: 'base64' })).error?.code).toBe(-32602);
  });

  test('base58 is the default encoding', async () => {
    const transaction = await signed(await latestBlockhash(), SOL);
    const config = { preflightCommitment: 'processed' };
    const answer = await rpc('sendTransaction', bs58.encode(transaction.serialize()), config);
    expect(answer.result).toBe(signatureOf(transaction));
  });
});

describe('versions', () => {
  async function kitTransfer<V extends 0 | 1>(version: V) {
    const signer = await createKeyPairSignerFromBytes(payer.secretKey);
    const destination = Keypair.generate().publicKey;
    const web3 = SystemProgram.transfer({
      fromPubkey: payer.publicKey,
      toPubkey: destination,
      lamports: SOL,
    });
    const instruction = {
      programAddress: web3.programId.toBase58() as never,
      accounts: [
        { address: signer.address, role: 3, signer } as never,
        { address: destination.toBase58() as never, role: 1 },
      ],
      data: Uint8Array.from(web3.data),
    };
    const lifetime = {
      blockhash: (await latestBlockhash()) as Blockhash,
      lastValidBlockHeight: 10_000n,
    };
    return signTransactionMessageWithSigners(
      pipe(
        createTransactionMessage({ version: version as 0 }),
        (message) => setTransactionMessageFeePayerSigner(signer, message),
        (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
        (message) => appendTransactionMessageInstruction(instruction, message),
        (message) =>
          version === 1
            ? ({
                ...message,
                config: {
                  computeUnitLimit: 50_000,
                  loadedAccountsDataSizeLimit: 1_000_000,
                  priorityFeeLamports: 777n,
                },
              } as never as typeof message)
            : message,
      ),
    );
  }

  for (const version of [0, 1] as const)
    test(`a version ${version} transaction built by kit lands, and only a client that reads it gets it`, async () => {
      const transaction = await kitTransfer(version);
      const signature = getSignatureFromTransaction(transaction);
      const config = { encoding: 'base64', preflightCommitment: 'processed' };
      const wire = getBase64EncodedWireTransaction(transaction);
      expect(await rpc('sendTransaction', wire, config)).toMatchObject({ result: signature });
      chain.advanceSlots(1);
      const read = (max?: number) =>
        rpc('getTransaction', signature, {
          commitment: 'confirmed',
          encoding: 'json',
          maxSupportedTransactionVersion: max,
        });
      expect((await read()).error?.code).toBe(-32015);
      if (version === 1) expect((await read(0)).error?.code).toBe(-32015);
      const expectedPart =
        version === 1
          ? { transactionConfig: { computeUnitLimit: 50_000, priorityFee: 777, heapSize: null } }
          : { addressTableLookups: [] };
      expect((await read(1)).result).toMatchObject({
        version,
        meta: { err: null, fee: version === 1 ? 5_777 : 5_000 },
        transaction: { signatures: [signature], message: expectedPart },
      });
    });
});

describe('simulation', () => {
  test('a simulation reports units and logs, changes nothing, and can replace the blockhash', async () => {
    const transaction = await signed(bs58.encode(new Uint8Array(32).fill(3)), SOL);
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
