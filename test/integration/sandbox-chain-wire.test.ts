import { describe, expect, test } from 'bun:test';
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
import { Keypair, SystemProgram, type Transaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { createChainClient, LAMPORTS_PER_SOL } from '../support/chain/chain-client.ts';

const { chain, payer, rpc, send, signed, latestBlockhash } = await createChainClient();

function signatureOf(transaction: Transaction): string {
  return bs58.encode(transaction.signature ?? new Uint8Array(64));
}

describe('wire form', () => {
  test('trailing bytes, aliased lengths, oversize and non-canonical base64 are invalid params', async () => {
    const bytes = (await signed(await latestBlockhash(), LAMPORTS_PER_SOL)).serialize();
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
    const transaction = await signed(await latestBlockhash(), LAMPORTS_PER_SOL);
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
      lamports: LAMPORTS_PER_SOL,
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
