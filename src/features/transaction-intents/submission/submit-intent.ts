import type { ChainHeadSource } from '../../../chain/head.ts';
import type { Transaction } from '../../../db/client.ts';
import { isOwnedBy } from '../../../db/row-look-up.ts';
import type { Outbox } from '../../../outbox/append.ts';
import { decodeCanonicalBase64 } from '../../../shared/bytes.ts';
import type { Clock } from '../../../shared/clock.ts';
import { Problem } from '../../../shared/problem.ts';
import { isPastWindow } from '../blockhash-window.ts';
import { type IntentRow, intentColumns, toIntentEvent } from '../record.ts';
import { firstDue } from './first-due.ts';
import { compareWithPrepared, isSignedBy, isUnsigned } from './verification.ts';

export interface SubmissionDependencies {
  outbox: Outbox;
  chainHead: ChainHeadSource;
  clock: Clock;
}

export interface Submission {
  intentId: string;
  accountId: string;
  /** Wallet of the API key. */
  pinnedWallet: string;
  /** From `If-Match`. */
  expectedVersion: number;
  /** From the body, when sent. */
  bodyVersion: number | undefined;
  /** base64 as sent. */
  signedTransaction: string;
}

/**
 * Accepts a signed transaction (contract/intents#one-transaction): state, new version, event and broadcast job in the caller's transaction.
 * Throws, in this order: not found, not prepared, expired, version conflict, validation, tampered, wrong signer,
 * invalid signature; then the intent is unchanged.
 */
export async function submitIntent(
  transaction: Transaction,
  submission: Submission,
  { outbox, chainHead, clock }: SubmissionDependencies,
): Promise<IntentRow> {
  const { intentId, accountId } = submission;
  const now = clock.now();
  const intent = await lockIntent(transaction, intentId, accountId);
  if (intent === null) throw new Problem('transaction_intent_not_found');
  requireOpen(intent, chainHead, clock);
  requireVersion(intent, submission);
  const signed = await requireSignature(transaction, intent, submission);

  const submitted = await markSubmitted(transaction, intentId, signed, now, outbox.traceparent());
  await outbox.append(transaction, {
    name: 'transaction_intent.submitted',
    subject: intentId,
    accountId,
    data: toIntentEvent(submitted),
  });
  return submitted;
}

function requireOpen(intent: IntentRow, chainHead: ChainHeadSource, clock: Clock): void {
  if (intent.status === 'expired') throw new Problem('transaction_intent_expired');
  if (intent.status !== 'prepared') {
    throw new Problem('transaction_intent_not_prepared', { context: { status: intent.status } });
  }
  if (intent.expiresAt <= clock.now() || isPastWindow(intent, { chainHead, clock })) {
    throw new Problem('transaction_intent_expired');
  }
}

function requireVersion(intent: IntentRow, { expectedVersion, bodyVersion }: Submission): void {
  if (expectedVersion !== intent.version || (bodyVersion !== undefined && bodyVersion !== expectedVersion)) {
    throw new Problem('transaction_intent_version_conflict', { context: { currentVersion: intent.version } });
  }
}

/** The bytes to broadcast. */
async function requireSignature(
  transaction: Transaction,
  intent: IntentRow,
  { signedTransaction, pinnedWallet, accountId }: Submission,
): Promise<Uint8Array> {
  const { expectedSigner, signatureOffset, preparedTransaction } = intent;
  const submitted = decodeCanonicalBase64(signedTransaction);
  if (submitted === null) throw malformed();
  const comparison = compareWithPrepared(submitted, {
    bytes: preparedTransaction,
    signatureOffset,
    expectedSigner,
  });
  if (comparison.outcome === 'malformed') throw malformed();
  if (comparison.outcome === 'tampered') {
    throw new Problem('transaction_intent_tampered', {
      causes: comparison.lacksExpectedSigner ? [{ code: 'transaction_intent_wrong_signer' }] : [],
    });
  }
  const { signed } = comparison;
  if (pinnedWallet !== expectedSigner)
    throw new Problem('transaction_intent_wrong_signer', { context: { expectedSigner } });
  if (isUnsigned(signed, signatureOffset)) throw unsigned(expectedSigner);
  if (!isSignedBy(signed, signatureOffset, expectedSigner)) {
    const wallets = await accountWallets(transaction, accountId);
    const other = wallets.find(
      (wallet) => wallet !== expectedSigner && isSignedBy(signed, signatureOffset, wallet),
    );
    if (other !== undefined)
      throw new Problem('transaction_intent_wrong_signer', { context: { expectedSigner } });
    throw new Problem('transaction_intent_invalid_signature');
  }
  return signed;
}

function unsigned(expectedSigner: string): Problem {
  return new Problem('transaction_intent_invalid_signature', {
    detail: `The transaction is unsigned: the signature of ${expectedSigner} is missing.`,
  });
}

function malformed(): Problem {
  return new Problem('validation_failed', {
    errors: [
      {
        path: '/body/signedTransaction',
        code: 'invalid_format',
        message: 'must be canonical base64 of exactly one well-formed transaction',
      },
    ],
  });
}

/** As `findIntent`, and no other transaction changes it until this one ends. */
async function lockIntent(
  transaction: Transaction,
  intentId: string,
  accountId: string,
): Promise<IntentRow | null> {
  const [row] = await transaction<IntentRow[]>`
    select ${intentColumns(transaction)} from transaction_intents
    where id = ${intentId} and ${isOwnedBy(transaction, transaction`account_id`, accountId)} for update`;
  return row ?? null;
}

/** Every wallet that a key of the account is pinned to. */
async function accountWallets(transaction: Transaction, accountId: string): Promise<string[]> {
  const rows = await transaction<{ walletAddress: string }[]>`
    select distinct wallet_address from api_keys where account_id = ${accountId}`;
  return rows.map(({ walletAddress }) => walletAddress);
}

/** Moves a prepared intent to submitted and queues its broadcast, its first send counted; the row must be locked. */
async function markSubmitted(
  transaction: Transaction,
  intentId: string,
  signedTransaction: Uint8Array,
  now: Date,
  traceparent: string | null,
): Promise<IntentRow> {
  const [row] = await transaction<IntentRow[]>`
    with submitted as (
      update transaction_intents
      set status = 'submitted', version = version + 1, signed_transaction = ${signedTransaction}, submitted_at = ${now}
      where id = ${intentId} and status is not distinct from 'prepared'
      returning ${intentColumns(transaction)}
    ), queued as (
      insert into intent_broadcasts (intent_id, send_count, next_send_at, created_at, traceparent)
      select id, 1, ${firstDue(transaction, transaction`submitted_at`)}, submitted_at, ${traceparent} from submitted
    )
    select ${intentColumns(transaction)} from submitted`;
  if (row === undefined) throw new Error('a locked prepared intent could not be submitted');
  return row;
}
