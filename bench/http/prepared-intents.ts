import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { Keypair, SystemProgram, Transaction } from '@solana/web3.js';
import type { Database } from '../../src/db/client.ts';
import { openPolicy } from '../../src/intents/prepare/preparation.ts';
import { encodeAddress } from '../../src/shared/address.ts';
import { encodeBase58 } from '../../src/shared/base58.ts';
import { createTestKey, type TestKey } from '../../test/support/api/api-keys.ts';
import { closedLoop } from '../load/closed-loop.ts';
import { wireRequest } from '../load/wire-request.ts';
import type { WriteRequest } from './write-case.ts';

const SIGNATURE_OFFSET = 1;
const MESSAGE_OFFSET = 65;
/** After the header, the key count and the three keys of a transfer. */
const BLOCKHASH_OFFSET = MESSAGE_OFFSET + 3 + 1 + 3 * 32;
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const ROWS_PER_INSERT = 1_000;
const READING_CONNECTIONS = 8;

export interface PreparedIntent {
  id: string;
  /** The submission. */
  request: WriteRequest;
  /** The signed transaction in it, base64. */
  transaction: string;
  /** Its id, base58. */
  signature: string;
}

/** Intents that are ready to be submitted once. */
export interface IntentSource {
  key: TestKey;
  /** Stores `count` intents. */
  prepare(count: number): Promise<PreparedIntent[]>;
}

/**
 * One wallet with a key. Its intents differ in their blockhash; they are stored in bulk because a case needs thousands.
 */
export async function createIntentSource(database: Database): Promise<IntentSource> {
  const wallet = Keypair.generate();
  const expectedSigner = wallet.publicKey.toBase58();
  const key = await createTestKey(database, { walletAddress: expectedSigner });
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, wallet.secretKey.subarray(0, 32)]),
    format: 'der',
    type: 'pkcs8',
  });
  const template = transferOf(wallet);
  const headers = { ...key.header, 'content-type': 'application/json', 'if-match': '"1"' };
  return {
    key,
    async prepare(count) {
      const made = Array.from({ length: count }, () => {
        const id = Bun.randomUUIDv7();
        const blockhash = crypto.getRandomValues(new Uint8Array(32));
        const prepared = Buffer.from(template);
        prepared.set(blockhash, BLOCKHASH_OFFSET);
        const path = `/api/v2/transaction-intents/${id}/submissions`;
        const transaction = signedOf(prepared, privateKey);
        const body = JSON.stringify({ signedTransaction: transaction });
        const request = { path, headers: { ...headers, 'idempotency-key': id }, body };
        const signature = encodeBase58(Buffer.from(transaction, 'base64').subarray(1, MESSAGE_OFFSET));
        return { id, prepared, recentBlockhash: encodeAddress(blockhash), request, transaction, signature };
      });
      const now = new Date();
      for (let from = 0; from < made.length; from += ROWS_PER_INSERT) {
        const rows = made.slice(from, from + ROWS_PER_INSERT).map(({ id, prepared, recentBlockhash }) => ({
          id,
          accountId: key.accountId,
          kind: 'token_transfer',
          status: 'prepared',
          expectedSigner,
          preparedTransaction: prepared,
          signatureOffset: SIGNATURE_OFFSET,
          recentBlockhash,
          lastValidBlockHeight: null,
          policy: database.json({ ...openPolicy }),
          version: 1,
          expiresAt: new Date(now.getTime() + 3_600_000),
          createdAt: now,
        }));
        await database`insert into transaction_intents ${database(rows)}`;
      }
      return made;
    },
  };
}

/**
 * Reads the intents of submissions at the api that gets them next: an api process that has prepared intents, or shown
 * them to who signs them, knows them.
 */
export async function readIntents(
  port: number,
  headers: Record<string, string>,
  submissions: readonly Pick<WriteRequest, 'path'>[],
): Promise<void> {
  const reads = submissions.map(({ path }) =>
    wireRequest('GET', path.slice(0, path.lastIndexOf('/')), headers),
  );
  await closedLoop({
    port,
    connections: READING_CONNECTIONS,
    expectedStatus: 200,
    nextRequest: () => reads.pop(),
  });
}

function signedOf(prepared: Uint8Array, privateKey: KeyObject): string {
  const signed = Buffer.from(prepared);
  signed.set(sign(null, prepared.subarray(MESSAGE_OFFSET), privateKey), SIGNATURE_OFFSET);
  return signed.toString('base64');
}

function transferOf({ publicKey }: Keypair): Uint8Array {
  return new Transaction({ feePayer: publicKey, recentBlockhash: publicKey.toBase58() })
    .add(
      SystemProgram.transfer({
        fromPubkey: publicKey,
        toPubkey: Keypair.generate().publicKey,
        lamports: 1_000,
      }),
    )
    .serialize({ requireAllSignatures: false, verifySignatures: false });
}
