import { generateKeyPairSync, sign } from 'node:crypto';
import { getCompiledTransactionMessageDecoder, getTransactionDecoder } from '@solana/kit';
import { Keypair, PublicKey, SystemProgram, Transaction, VersionedTransaction } from '@solana/web3.js';
import { readTransaction } from '../../src/chain/transaction-reader.ts';
import { compareWithPrepared } from '../../src/chain/transactions/compare-submission.ts';
import { encodeAddress } from '../../src/shared/address.ts';
import { type BenchCase, ratio } from '../cases/case.ts';
import { alternate } from '../measurement/rounds.ts';
import { pick } from './pick.ts';
import { timedVariant } from './timed-variant.ts';

const TRANSACTIONS = 64;
const SIGNATURE_OFFSET = 1;
const KIT = '@solana/kit';
const WEB3 = '@solana/web3.js';

/**
 * The cost of a submission before its signature is verified: comparing it with the prepared bytes (as the product does,
 * without parsing), and parsing it; the peers are two libraries that only parse.
 */
export const transaction: BenchCase = async ({ rounds, roundMs, peers = true }) => {
  const samples = Array.from({ length: TRANSACTIONS }, signedTransfer);
  type Sample = (typeof samples)[number];
  const variant = (name: string, check: (sample: Sample) => boolean) =>
    timedVariant(name, roundMs, (index) => check(pick(samples, index)));
  const transactionDecoder = getTransactionDecoder();
  const messageDecoder = getCompiledTransactionMessageDecoder();

  const figures = await alternate(
    [
      variant('ours: splice check', ({ signed, prepared, signer }) => {
        const parts = { bytes: prepared, signatureOffset: SIGNATURE_OFFSET, expectedSigner: signer };
        return compareWithPrepared(signed, parts).outcome === 'same';
      }),
      variant('ours: parse', ({ signed }) => readTransaction(signed)?.instructions.length === 1),
      // The limit of any comparison: reading every byte once, natively.
      variant('native: compare bytes', ({ signed, copy }) => Buffer.compare(signed, copy) === 0),
      ...(peers
        ? [
            variant(KIT, ({ signed }) => {
              const { messageBytes } = transactionDecoder.decode(signed);
              return messageDecoder.decode(messageBytes).staticAccounts.length === 3;
            }),
            variant(
              WEB3,
              ({ signed }) => VersionedTransaction.deserialize(signed).message.staticAccountKeys.length === 3,
            ),
          ]
        : []),
    ],
    rounds,
  );
  const time = (of: string, to: string) => ratio(figures, of, to, 'microsecondsPerCall');
  return {
    name: 'one legacy transfer: splice check, and parsing',
    figures,
    ratios: {
      'time, splice check / native compare': time('ours: splice check', 'native: compare bytes'),
      ...(peers && {
        'time, kit / our parse': time(KIT, 'ours: parse'),
        'time, web3.js / our parse': time(WEB3, 'ours: parse'),
      }),
    },
  };
};

function signedTransfer() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const signer = encodeAddress(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'));
  const wallet = new PublicKey(signer);
  const prepared = new Transaction({
    feePayer: wallet,
    recentBlockhash: encodeAddress(crypto.getRandomValues(new Uint8Array(32))),
  })
    .add(
      SystemProgram.transfer({ fromPubkey: wallet, toPubkey: Keypair.generate().publicKey, lamports: 1_000 }),
    )
    .serialize({ requireAllSignatures: false, verifySignatures: false });
  const signed = Buffer.from(prepared);
  signed.set(sign(null, prepared.subarray(SIGNATURE_OFFSET + 64), privateKey), SIGNATURE_OFFSET);
  return {
    signer,
    prepared: new Uint8Array(prepared),
    signed: new Uint8Array(signed),
    copy: Buffer.from(signed),
  };
}
