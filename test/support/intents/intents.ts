import { Keypair, type PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import type { Database } from '../../../src/db/client.ts';
import type { IntentPolicy, SendRoute } from '../../../src/db/values/transaction-intents.ts';
import { checkPreparation } from '../../../src/intents/prepare/check-preparation.ts';
import { openPolicy } from '../../../src/intents/prepare/preparation.ts';
import { prepareIntent } from '../../../src/intents/prepare/prepare-intent.ts';
import { IntentFacts } from '../../../src/intents/submit/intent-facts.ts';
import type { Submission } from '../../../src/intents/submit/judge-submission.ts';
import { createOutbox } from '../../../src/outbox/append.ts';
import { encodeBase58 } from '../../../src/shared/base58.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { nominalPace } from '../chain/nominal-pace.ts';

/** Dependencies of preparing an intent. */
export const preparing = {
  outbox: createOutbox({ source: 'https://api.test/api/v2', docsUrl: 'https://api.test/docs' }, systemClock),
  clock: systemClock,
};

/** Dependencies of submitting an intent. No node has reported a height, and nothing is sent. */
export const submitting = {
  ...preparing,
  chainHead: { current: () => null, identity: () => null, pace: () => nominalPace, run: async () => {} },
  intentFacts: new IntentFacts(),
  submissionWriter: { write: async () => false },
  firstBroadcaster: { send() {} },
};

export interface PreparedIntent {
  id: string;
  wallet: Keypair;
  /** The prepared bytes, with zeros in place of the wallet's signature. */
  unsigned: Uint8Array;
}

export interface PrepareOptions {
  accountId: string;
  wallet: Keypair;
  /** A second signer, whose signature is already present. */
  cosigner?: Keypair;
  blockhash?: string;
  expiresInMs?: number;
  lastValidBlockHeight?: bigint | null;
  policy?: IntentPolicy;
  sendRoute?: SendRoute;
}

/** A stored intent: the wallet pays the fee and moves lamports. */
export async function createPreparedIntent(
  database: Database,
  options: PrepareOptions,
): Promise<PreparedIntent> {
  const { accountId, wallet, cosigner } = options;
  const transaction = new Transaction({
    feePayer: wallet.publicKey,
    recentBlockhash: options.blockhash ?? encodeBase58(crypto.getRandomValues(new Uint8Array(32))),
  }).add(transfer(wallet.publicKey));
  if (cosigner !== undefined) {
    transaction.add(transfer(cosigner.publicKey));
    transaction.partialSign(cosigner);
  }
  const unsigned = transaction.serialize({ requireAllSignatures: false, verifySignatures: false });
  const checked = await checkPreparation(
    {
      accountId,
      kind: 'token_transfer',
      expectedSigner: wallet.publicKey.toBase58(),
      transaction: unsigned,
      policy: options.policy ?? openPolicy,
      sendRoute: options.sendRoute ?? 'fast',
      lastValidBlockHeight: null,
      expiresInMs: options.expiresInMs ?? 60_000,
    },
    [],
    systemClock,
  );
  const intent = await database.begin((sql) => prepareIntent(sql, checked, preparing));
  // No node confirms a height here.
  const { lastValidBlockHeight = null } = options;
  if (lastValidBlockHeight !== null)
    await database`
      update transaction_intents set last_valid_block_height = ${lastValidBlockHeight} where id = ${intent.id}`;
  return { id: intent.id, wallet, unsigned };
}

/** Adds the signatures to the wire bytes. */
export function signWith(unsigned: Uint8Array, ...signers: Keypair[]): Uint8Array {
  const transaction = Transaction.from(unsigned);
  transaction.partialSign(...signers);
  return transaction.serialize({ requireAllSignatures: false, verifySignatures: false });
}

function transfer(from: PublicKey) {
  return SystemProgram.transfer({
    fromPubkey: from,
    toPubkey: Keypair.generate().publicKey,
    lamports: 1_000,
  });
}

/** The submission of a prepared intent, signed by its wallet. */
export function submissionOf(
  { id, unsigned }: PreparedIntent,
  accountId: string,
  wallet: Keypair,
): Submission {
  return {
    intentId: id,
    accountId,
    pinnedWallet: wallet.publicKey.toBase58(),
    expectedVersion: 1,
    bodyVersion: undefined,
    signedTransaction: Buffer.from(signWith(unsigned, wallet)).toString('base64'),
  };
}
