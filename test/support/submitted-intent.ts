import { Connection, Keypair, SystemProgram, Transaction } from '@solana/web3.js';
import type { Database } from '../../src/db/client.ts';

const SOL = 1_000_000_000;

/** A funded wallet of the sandbox chain that signs transfers. */
export async function fundedWallet(rpcUrl: string): Promise<Keypair> {
  const wallet = Keypair.generate();
  await new Connection(rpcUrl, 'processed').requestAirdrop(wallet.publicKey, 100 * SOL);
  return wallet;
}

export interface SignedTransfer {
  bytes: Uint8Array;
  /** Base58 of the first signature. */
  signature: string;
  lastValidBlockHeight: bigint;
  to: string;
}

/** A signed transfer to a fresh address with the newest blockhash. */
export async function signedTransfer(
  rpcUrl: string,
  wallet: Keypair,
  lamports = 1_000_000,
): Promise<SignedTransfer> {
  const connection = new Connection(rpcUrl, 'processed');
  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash('confirmed');
  const to = Keypair.generate().publicKey;
  const transaction = new Transaction({ feePayer: wallet.publicKey, blockhash, lastValidBlockHeight });
  transaction.add(SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: to, lamports }));
  transaction.sign(wallet);
  const { default: bs58 } = await import('bs58');
  return {
    bytes: transaction.serialize(),
    signature: bs58.encode(transaction.signature ?? new Uint8Array(0)),
    lastValidBlockHeight: BigInt(lastValidBlockHeight),
    to: to.toBase58(),
  };
}

export interface IntentFacts {
  status?: 'prepared' | 'submitted';
  transaction: Uint8Array;
  lastValidBlockHeight: bigint | null;
  expiresAt: Date;
  now: Date;
}

export async function insertAccount(db: Database): Promise<string> {
  const accountId = Bun.randomUUIDv7();
  await db`insert into accounts (id, created_at) values (${accountId}, now())`;
  return accountId;
}

/** An intent as preparation (`prepared`) or an accepted submission (`submitted`, the default) leaves it. */
export async function insertIntent(db: Database, accountId: string, facts: IntentFacts): Promise<string> {
  const { status = 'submitted', transaction, lastValidBlockHeight, expiresAt, now } = facts;
  const id = Bun.randomUUIDv7();
  const isSubmitted = status === 'submitted';
  const policy = { allowedPrograms: [], maxComputeUnitPrice: null, requireSimulation: false };
  await db.begin(async (sql) => {
    await sql`
      insert into transaction_intents (id, account_id, kind, status, expected_signer, prepared_transaction,
        signature_offset, signed_transaction, last_valid_block_height, policy, version, expires_at, created_at,
        submitted_at)
      values (${id}, ${accountId}, 'transfer', ${status}, ${'1'.repeat(32)}, ${transaction}, 1,
        ${isSubmitted ? transaction : null}, ${lastValidBlockHeight}, ${sql.json(policy)}, ${isSubmitted ? 2 : 1},
        ${expiresAt}, ${now}, ${isSubmitted ? now : null})`;
    if (isSubmitted)
      await sql`insert into intent_broadcasts (intent_id, next_send_at, created_at) values (${id}, ${now}, ${now})`;
  });
  return id;
}
