import { Connection, Keypair, SystemProgram, Transaction } from '@solana/web3.js';
import { type SandboxChain, startChain } from '../../../sandbox/chain/server.ts';
import { createChainRpcs } from '../../../src/chain/rpc.ts';
import type { Database } from '../../../src/db/client.ts';
import type { IntentPolicy } from '../../../src/db/values/transaction-intents.ts';
import { openPolicy } from '../../../src/intents/prepare/preparation.ts';
import { type BroadcastContext, broadcastDue } from '../../../src/intents/send/broadcast-due.ts';
import { encodeBase58 } from '../../../src/shared/base58.ts';
import { emptyTables } from '../database/empty-tables.ts';
import { intentContext, openDatabase } from '../processes/worker-context.ts';
import { atEnd } from '../run/cleanup.ts';
import { createTestClock, type TestClock } from '../run/clock.ts';

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
  return {
    bytes: transaction.serialize(),
    signature: encodeBase58(transaction.signature ?? new Uint8Array(0)),
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
  policy?: IntentPolicy;
}

export async function insertAccount(db: Database): Promise<string> {
  const accountId = Bun.randomUUIDv7();
  await db`insert into accounts (id, created_at) values (${accountId}, now())`;
  return accountId;
}

/** Inserts an intent in the state after its preparation (`prepared`) or its submission (`submitted`, the
 * default). */
export async function insertIntent(db: Database, accountId: string, facts: IntentFacts): Promise<string> {
  const { status = 'submitted', transaction, lastValidBlockHeight, expiresAt, now } = facts;
  const { policy = openPolicy } = facts;
  const id = Bun.randomUUIDv7();
  const isSubmitted = status === 'submitted';
  await db.begin(async (sql) => {
    await sql`
      insert into transaction_intents (id, account_id, kind, status, expected_signer, prepared_transaction,
        signature_offset, signed_transaction, last_valid_block_height, policy, version, expires_at, created_at,
        submitted_at)
      values (${id}, ${accountId}, 'transfer', ${status}, ${'1'.repeat(32)}, ${transaction}, 1,
        ${isSubmitted ? transaction : null}, ${lastValidBlockHeight}, ${sql.json({ ...policy })}, ${isSubmitted ? 2 : 1},
        ${expiresAt}, ${now}, ${isSubmitted ? now : null})`;
    if (isSubmitted)
      await sql`insert into intent_broadcasts (intent_id, next_send_at, created_at) values (${id}, ${now}, ${now})`;
  });
  return id;
}

const LIFETIME_MS = 60_000;
/** More at once run into the time limit of a send on a busy machine. */
const SENT_AT_ONCE = 40;

export interface SubmittedIntent extends SignedTransfer {
  id: string;
}

/** Submitted intents of one wallet. Only the test moves the chain's slots and the clock. */
export interface SubmittedIntents {
  chain: SandboxChain;
  db: Database;
  clock: TestClock;
  accountId: string;
  /** Inserts a submitted transfer that expires after a minute. `timed` leaves out its block height. */
  submit(shape?: { lamports?: number; timed?: boolean }): Promise<SubmittedIntent>;
  /** The columns of an intent that the worker may change. */
  intent(id: string): Promise<Record<string, unknown>>;
  context(...rpcUrls: string[]): BroadcastContext;
  /** Sends all due transactions and waits for the nodes. Returns the number of due ones. */
  broadcast(...rpcUrls: string[]): Promise<number>;
  /** Forgets faults, intents and events, for the next test. */
  clear(): Promise<void>;
}

export async function startSubmittedIntents(): Promise<SubmittedIntents> {
  const chain = await startChain({ slotMs: 'manual' });
  atEnd(() => chain.stop());
  const db = await openDatabase();
  const clock = createTestClock();
  const wallet = await fundedWallet(chain.rpcUrl);
  const accountId = await insertAccount(db);
  const context = (...rpcUrls: string[]) => intentContext(db, createChainRpcs(rpcUrls), clock).context;
  return {
    chain,
    db,
    clock,
    accountId,
    context,
    async submit({ lamports, timed = false } = {}) {
      const transfer = await signedTransfer(chain.rpcUrl, wallet, lamports);
      const now = clock.now();
      const id = await insertIntent(db, accountId, {
        transaction: transfer.bytes,
        lastValidBlockHeight: timed ? null : transfer.lastValidBlockHeight,
        expiresAt: new Date(now.getTime() + LIFETIME_MS),
        now,
      });
      return { id, ...transfer };
    },
    async intent(id) {
      const [row] = await db`
        select status, error_code, error_detail, transaction_signature, version, completed_at, last_valid_block_height
        from transaction_intents where id = ${id}`;
      return row ?? {};
    },
    async broadcast(...rpcUrls) {
      for (let count = 0; ; ) {
        const { due, sent } = await broadcastDue(context(...rpcUrls), SENT_AT_ONCE);
        await sent;
        count += due;
        if (due < SENT_AT_ONCE) return count;
      }
    },
    async clear() {
      chain.setFaults({});
      await emptyTables(db, 'intent_broadcasts', 'transaction_intents', 'webhook_deliveries', 'events');
    },
  };
}
