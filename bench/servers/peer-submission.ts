import { createHash, createPublicKey, randomUUID, verify } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { type Principal, sql } from './peer-database.ts';
import { writtenDocuments } from './written-documents.ts';

const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** Verifies a base64 transaction with one signer natively. Its bytes, or null when the signature is invalid. */
export function verifiedTransaction(signedTransaction: string): Uint8Array | null {
  const bytes = Buffer.from(signedTransaction, 'base64');
  // One signer: signature at 1, message at 65, its first key after the header and the key count.
  const publicKey = createPublicKey({
    key: Buffer.concat([SPKI_PREFIX, bytes.subarray(69, 101)]),
    format: 'der',
    type: 'spki',
  });
  return verify(null, bytes.subarray(65), publicKey, bytes.subarray(1, 65)) ? bytes : null;
}

export const submissionBody = Type.Object(
  {
    signedTransaction: Type.String({ minLength: 1, maxLength: 5_464 }),
    version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
  },
  { additionalProperties: false },
);

interface StoredSubmission {
  intentId: string;
  accountId: string;
  idempotencyKey: string;
  signed: Uint8Array;
  /** The response, stored for replays as the contract requires. */
  response: string;
  event: string;
}

/**
 * The product's submission statement with the same parameters: state change, broadcast job, event and idempotent
 * response in one round trip. False when the intent is no longer prepared.
 */
export async function storeSubmission(submission: StoredSubmission): Promise<boolean> {
  const { intentId, accountId, idempotencyKey, signed, response, event } = submission;
  const fingerprint = createHash('sha256').update(intentId).update(signed).digest();
  const lockId = fingerprint.readBigInt64BE(0).toString();
  const headers = { ETag: '"2"', 'Retry-After': '2' };
  const accepted = await sql`
    with guard as materialized (
      select pg_try_advisory_xact_lock(${lockId}::bigint) as acquired
    ), accepted as (
      update transaction_intents as intent
      set status = 'submitted', version = intent.version + 1, signed_transaction = ${signed}, submitted_at = ${new Date()}
      from guard
      where guard.acquired and intent.id = ${intentId} and intent.account_id is not distinct from ${accountId}
        and intent.status is not distinct from 'prepared' and intent.version = ${1}
        and not exists (
          select from idempotency_records as record
          where record.account_id = ${accountId}::uuid and record.key = ${idempotencyKey})
      returning intent.id, intent.account_id, intent.submitted_at, ${null} as traceparent
    ), queued as (
      insert into intent_broadcasts (intent_id, next_send_at, created_at, traceparent)
      select id, submitted_at, submitted_at, traceparent from accepted
    ), recorded as (
      insert into events (id, type, subject, account_id, body, created_at, traceparent)
      select ${randomUUID()}::uuid, ${'com.example.transaction_intent.submitted'}, id::text, account_id, ${event},
        submitted_at, traceparent
      from accepted
    ), answered as (
      insert into idempotency_records
        (account_id, key, fingerprint, response_status, response_headers, response_body, sealed, created_at, expires_at)
      select account_id, ${idempotencyKey}, ${fingerprint}, ${202}::int, ${JSON.stringify(headers)}::text::jsonb,
        ${Buffer.from(response)}, false, submitted_at, submitted_at + ${86_400_000} * interval '1 millisecond'
      from accepted
    )
    select from accepted`;
  return accepted.count === 1;
}

/** Sends a stored transaction to one node, and records that the node took it. */
export async function sendSubmission(intentId: string, signed: Uint8Array): Promise<void> {
  const wire = Buffer.from(signed).toString('base64');
  const options = { encoding: 'base64', skipPreflight: true, maxRetries: 0 };
  const response = await fetch(process.env.SOLANA_RPC_URL ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sendTransaction', params: [wire, options] }),
  });
  const { result } = (await response.json()) as { result: string };
  await sql`
    with sent as (
      update transaction_intents set transaction_signature = ${result}
      where id = ${intentId} and set_config('synchronous_commit', 'off', true) is not null returning id)
    update intent_broadcasts b set next_send_at = ${new Date(Date.now() + 2_000)} from sent where b.intent_id = sent.id`;
}

/**
 * Verifies, stores, and returns the response; the send follows it, as in the product. Null when the transaction or the
 * intent is not acceptable.
 */
export async function acceptSubmission(
  { accountId }: Principal,
  idempotencyKey: string,
  intentId: string,
  signedTransaction: string,
): Promise<string | null> {
  const signed = verifiedTransaction(signedTransaction);
  if (signed === null) return null;
  const documents = writtenDocuments(intentId);
  const stored = await storeSubmission({ ...documents, intentId, accountId, idempotencyKey, signed });
  if (!stored) return null;
  // A failure ends the process, and with it the case.
  void sendSubmission(intentId, signed);
  return documents.response;
}
