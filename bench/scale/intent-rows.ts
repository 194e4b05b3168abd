import { Keypair, SystemProgram, Transaction } from '@solana/web3.js';
import type { Database } from '../../src/db/client.ts';
import { openPolicy } from '../../src/intents/prepare/preparation.ts';
import type { IntentRow } from '../../src/intents/row.ts';
import { encodeAddress } from '../../src/shared/address.ts';
import { createTestKey } from '../../test/support/api/api-keys.ts';

export const INTENT_TABLES = [
  'transaction_intents',
  'intent_messages',
  'intent_landings',
  'intent_broadcasts',
];
export const INTENT_KIND = 'swap';
const SIGNATURE_OFFSET = 1;
const ROWS_PER_INSERT = 50_000;
/** Intents in one millisecond. */
const PER_MS = 4;
const HOUR_MS = 3_600_000;

const wallet = Keypair.generate();
const transaction = new Transaction({
  feePayer: wallet.publicKey,
  blockhash: encodeAddress(new Uint8Array(32).fill(1)),
  lastValidBlockHeight: 0,
})
  .add(SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: wallet.publicKey, lamports: 1 }))
  .serialize({ requireAllSignatures: false, verifySignatures: false });
/** Stands for a signed one: no statement verifies it. */
const signed = Uint8Array.from(transaction).fill(7, SIGNATURE_OFFSET, SIGNATURE_OFFSET + 64);

/** The account that owns all intents of a database. */
const accounts = new WeakMap<Database, string>();

export function accountOf(database: Database): string {
  const accountId = accounts.get(database);
  if (accountId === undefined) throw new Error('the database has no intents yet');
  return accountId;
}

/** Landed intents of one account; every tenth has expired, and one in a thousand is prepared and not overdue. */
export async function storeIntentRows(sql: Database, size: number): Promise<void> {
  const { accountId } = await createTestKey(sql, { walletAddress: wallet.publicKey.toBase58() });
  accounts.set(sql, accountId);
  const startMs = Date.now() - Math.ceil(size / PER_MS) - HOUR_MS;
  for (let first = 0; first < size; first += ROWS_PER_INSERT) {
    const count = Math.min(ROWS_PER_INSERT, size - first);
    await sql`
      with made as materialized (
        select at, ${startMs}::int8 + at / ${PER_MS}::int8 as ms,
          case when at % 1000 = 0 then 'prepared' when at % 10 = 0 then 'expired' else 'confirmed' end as status,
          md5(at::text) as random
        from generate_series(${first}::int8, ${first + count - 1}::int8) as at
      ), stored as (
        insert into transaction_intents (id, account_id, kind, status, expected_signer, prepared_transaction,
          signature_offset, signed_transaction, recent_blockhash, last_valid_block_height, policy, version,
          expires_at, created_at, submitted_at, completed_at)
        select (lpad(to_hex(ms), 12, '0') || '7' || substr(random, 1, 3) || '8' || substr(random, 4, 15))::uuid,
          ${accountId}::uuid, ${INTENT_KIND}, status, ${wallet.publicKey.toBase58()}, ${transaction}::bytea,
          ${SIGNATURE_OFFSET}::int, case when status = 'confirmed' then ${signed}::bytea end, random, 1_000_000,
          ${sql.json({ ...openPolicy })}::jsonb, 1,
          to_timestamp(ms / 1000.0) + case when status = 'prepared' then interval '1 day' else interval '1 minute' end,
          to_timestamp(ms / 1000.0), case when status = 'confirmed' then to_timestamp(ms / 1000.0) end,
          case when status <> 'prepared' then to_timestamp(ms / 1000.0) end
        from made
        returning id, status, created_at
      )
      insert into intent_landings (intent_id, slot, finality, landed_at, settled_at)
      select id, 1, 'finalized', created_at, created_at from stored where status = 'confirmed'`;
  }
}

/** A new prepared intent of the account, and the same after its submission. */
export function newIntent(accountId: string): { prepared: IntentRow; submitted: IntentRow } {
  const createdAt = new Date();
  const prepared: IntentRow = {
    id: Bun.randomUUIDv7(),
    accountId,
    kind: INTENT_KIND,
    status: 'prepared',
    expectedSigner: wallet.publicKey.toBase58(),
    preparedTransaction: transaction,
    signatureOffset: SIGNATURE_OFFSET,
    signedTransaction: null,
    recentBlockhash: encodeAddress(crypto.getRandomValues(new Uint8Array(32))),
    lastValidBlockHeight: 1_000_000n,
    policy: openPolicy,
    sendRoute: 'fast',
    priorityLevel: null,
    transactionSignature: null,
    mintAddress: null,
    launchId: null,
    tipLamports: 0n,
    quote: null,
    errorCode: null,
    errorDetail: null,
    version: 1,
    expiresAt: new Date(createdAt.getTime() + HOUR_MS),
    createdAt,
    submittedAt: null,
    completedAt: null,
  };
  return {
    prepared,
    submitted: {
      ...prepared,
      status: 'submitted',
      version: 2,
      signedTransaction: signed,
      submittedAt: createdAt,
    },
  };
}
