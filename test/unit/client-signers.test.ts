import { describe, expect, test } from 'bun:test';
import {
  address,
  createKeyPairSignerFromBytes,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getTransactionDecoder,
} from '@solana/kit';
import {
  Keypair,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import fc from 'fast-check';
import { kitSigner, secretKeySigner, type TransactionSigner, walletAdapterSigner } from 'launchwire';
import { decodeBase58, encodeBase58 } from '../../packages/client/src/base58.ts';
import { readWireTransaction, signaturesOf } from '../../packages/client/src/signers/wire-transaction.ts';
import { verifyStrict } from '../../src/chain/verify-signature.ts';

const wallet = Keypair.generate();
const cosigner = Keypair.generate();
const blockhash = bs58.encode(crypto.getRandomValues(new Uint8Array(32)));
const instructions = [wallet, cosigner].map(({ publicKey }) =>
  SystemProgram.transfer({ fromPubkey: publicKey, toPubkey: Keypair.generate().publicKey, lamports: 1 }),
);

/** Prepared for the wallet; the other signer has signed already. */
function legacy(): Uint8Array {
  const transaction = new Transaction({ feePayer: wallet.publicKey, recentBlockhash: blockhash }).add(
    ...instructions,
  );
  transaction.partialSign(cosigner);
  return transaction.serialize({ requireAllSignatures: false, verifySignatures: false });
}

function version0(): Uint8Array {
  const facts = { payerKey: wallet.publicKey, recentBlockhash: blockhash, instructions };
  const transaction = new VersionedTransaction(new TransactionMessage(facts).compileToV0Message());
  transaction.sign([cosigner]);
  return transaction.serialize();
}

/** By hand: web3.js 1.x knows no version 1. */
function version1(): Uint8Array {
  const addresses = [wallet.publicKey, cosigner.publicKey, SystemProgram.programId].map((key) => [
    ...key.toBytes(),
  ]);
  const head = [
    0x81,
    2,
    0,
    1,
    0,
    0,
    0,
    0,
    ...bs58.decode(blockhash),
    1,
    addresses.length,
    ...addresses.flat(),
  ];
  return Uint8Array.from([...head, 2, 0, 0, 0, ...new Uint8Array(64), ...new Uint8Array(64).fill(9)]);
}

/** A wallet of wallet-adapter as web applications get it. */
const adapterWallet = {
  publicKey: wallet.publicKey,
  async signTransaction<T extends Transaction | VersionedTransaction>(transaction: T): Promise<T> {
    if (transaction instanceof VersionedTransaction) transaction.sign([wallet]);
    return transaction;
  },
};

const signers: Record<string, () => TransactionSigner | Promise<TransactionSigner>> = {
  'a Keypair of web3.js': () => secretKeySigner(wallet),
  'a base58 secret key': () => secretKeySigner(bs58.encode(wallet.secretKey)),
  'the numbers of a key file': () => secretKeySigner([...wallet.secretKey]),
  '@solana/kit': async () => kitSigner(await createKeyPairSignerFromBytes(wallet.secretKey)),
  'wallet-adapter': () => walletAdapterSigner(adapterWallet, VersionedTransaction),
};
const transactions = { legacy, version0, version1 };

describe.each(Object.entries(signers))('%s', (name, makeSigner) => {
  // web3.js, which wallets of wallet-adapter use, reads no version 1.
  const readable = Object.entries(transactions).filter(
    ([kind]) => name !== 'wallet-adapter' || kind !== 'version1',
  );

  test.each(readable)(
    'signs a %s transaction in its own slot and changes nothing else',
    async (_kind, make) => {
      const prepared = make();
      const before = prepared.slice();
      const signer = await makeSigner();
      const signed = await signer.signTransaction(prepared);
      expect(signer.address).toBe(wallet.publicKey.toBase58());
      expect(prepared).toEqual(before);
      const { message } = readWireTransaction(signed);
      expect(message).toEqual(readWireTransaction(prepared).message);
      const slots = signaturesOf(signed);
      const other = cosigner.publicKey.toBase58();
      expect(slots[other]).toEqual(signaturesOf(prepared)[other] as Uint8Array<ArrayBuffer>);
      const own = slots[signer.address] ?? expect.unreachable();
      expect(verifyStrict(signer.address, message, own)).toBe(true);
      expect(signed.length).toBe(prepared.length);
    },
  );
});

test('the slots are those that @solana/kit reads', () => {
  for (const make of [legacy, version0]) {
    const decoded = getTransactionDecoder().decode(make());
    const { message } = readWireTransaction(make());
    expect(new Uint8Array(decoded.messageBytes)).toEqual(message);
    expect(Object.keys(decoded.signatures)).toEqual(Object.keys(signaturesOf(make())));
    expect(getBase64EncodedWireTransaction(decoded)).toBeString();
  }
});

describe('a signer refuses', () => {
  test('a transaction that it is no signer of', async () => {
    const stranger = await secretKeySigner(Keypair.generate());
    expect(stranger.signTransaction(legacy())).rejects.toThrow(`${stranger.address} is not a signer`);
    const kit = kitSigner(await generateKeyPairSigner());
    expect(kit.signTransaction(legacy())).rejects.toThrow();
    const silent = kitSigner({ address: address('1'.repeat(32)), signTransactions: async () => [{}] });
    expect(silent.signTransaction(legacy())).rejects.toThrow('returned no signature');
  });

  test('a secret key of another length, or of two halves that do not belong together', async () => {
    expect(secretKeySigner(wallet.secretKey.slice(0, 32))).rejects.toThrow('64 bytes');
    const mixed = Uint8Array.from([...wallet.secretKey.slice(0, 32), ...cosigner.publicKey.toBytes()]);
    expect(secretKeySigner(mixed)).rejects.toThrow('not that of its seed');
    expect(secretKeySigner('0OIl')).rejects.toThrow('not base58');
    expect(secretKeySigner('1'.repeat(100_000))).rejects.toThrow('too long');
  });

  test('a wallet that is not connected or cannot sign', () => {
    const disconnected = { ...adapterWallet, publicKey: null };
    expect(() => walletAdapterSigner(disconnected, VersionedTransaction)).toThrow('not connected');
    const watching = { publicKey: wallet.publicKey };
    expect(() => walletAdapterSigner(watching, VersionedTransaction)).toThrow('cannot sign');
  });

  test('bytes that are no transaction, whatever they are', () => {
    for (const make of Object.values(transactions)) {
      const whole = make();
      for (let length = 0; length < 120; length += 1) {
        expect(() => readWireTransaction(whole.subarray(0, length))).toThrow(TypeError);
      }
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300, size: 'max' }), (bytes) => {
        try {
          const { signers: read } = readWireTransaction(bytes);
          expect(read.length).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError);
        }
      }),
    );
  });
});

test('base58 is that of bs58, both ways', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70, size: 'max' }), (bytes) => {
      expect(encodeBase58(bytes)).toBe(bs58.encode(bytes));
      expect(decodeBase58(bs58.encode(bytes))).toEqual(Uint8Array.from(bytes));
    }),
  );
});
