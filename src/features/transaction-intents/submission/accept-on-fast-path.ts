import type { Database } from '../../../db/client.ts';
import type { ResponseRecord } from '../../../db/idempotency-record.ts';
import { decodeCanonicalBase64 } from '../../../shared/bytes.ts';
import { isPastWindow } from '../blockhash-window.ts';
import type { IntentFacts } from '../intent-facts.ts';
import { type IntentRow, type TransactionIntentEvent, toIntentEvent } from '../record.ts';
import type { SubmissionWriter } from './submission-writer.ts';
import type { Submission, SubmissionDependencies } from './submit-intent.ts';
import { compareWithPrepared, isSignedBy } from './verification.ts';

export interface FastPathDependencies extends SubmissionDependencies {
  database: Database;
  intentFacts: IntentFacts;
  submissionWriter: Pick<SubmissionWriter, 'write'>;
}

/** What the caller makes of a submission. */
export interface SubmissionReply {
  /** The response that is stored with it. */
  respond(submitted: IntentRow, shown: TransactionIntentEvent): ResponseRecord;
  /** Called once it has committed. @param traceparent of the broadcast job */
  afterCommit(first: { submitted: IntentRow; traceparent: string | null }): void;
}

/**
 * Accepts a submission in one statement, alone or with others that wait: state, version, broadcast job, event and stored response
 * together. Null, and nothing changed, when any check fails or the key is not new: `submitIntent` then says why.
 */
export async function acceptOnFastPath(
  submission: Submission,
  dependencies: FastPathDependencies,
  { respond, afterCommit }: SubmissionReply,
): Promise<{ response: ResponseRecord; afterCommit(): void } | null> {
  const { database, intentFacts, submissionWriter, outbox, clock } = dependencies;
  const known = intentFacts.get(database, submission);
  const intent = known instanceof Promise ? await known : known;
  const signed = intent === null ? null : signedBytes(intent, submission, dependencies);
  if (intent === null || signed === null) return null;
  const submittedAt = clock.now();
  const submitted: IntentRow = {
    ...intent,
    status: 'submitted',
    version: intent.version + 1,
    signedTransaction: signed,
    submittedAt,
  };
  const shown = toIntentEvent(submitted);
  const event = outbox.compose({
    name: 'transaction_intent.submitted',
    subject: intent.id,
    accountId: intent.accountId,
    data: shown,
    time: submittedAt,
  });
  const record = respond(submitted, shown);
  const accepted = await submissionWriter.write({ submitted, event, record });
  intentFacts.forget(intent.id);
  if (!accepted) return null;
  return { response: record, afterCommit: () => afterCommit({ submitted, traceparent: event.traceparent }) };
}

/** The bytes to broadcast when everything known in this process speaks for them. */
function signedBytes(
  intent: IntentRow,
  { signedTransaction, pinnedWallet, expectedVersion, bodyVersion = expectedVersion }: Submission,
  dependencies: FastPathDependencies,
): Uint8Array | null {
  const { expectedSigner, signatureOffset, preparedTransaction } = intent;
  const isOpen = intent.expiresAt > dependencies.clock.now() && !isPastWindow(intent, dependencies);
  const isExpected = intent.version === expectedVersion && bodyVersion === expectedVersion;
  if (!isOpen || !isExpected || pinnedWallet !== expectedSigner) return null;
  const submitted = decodeCanonicalBase64(signedTransaction);
  if (submitted === null) return null;
  const comparison = compareWithPrepared(submitted, {
    bytes: preparedTransaction,
    signatureOffset,
    expectedSigner,
  });
  const isSame =
    comparison.outcome === 'same' && isSignedBy(comparison.signed, signatureOffset, expectedSigner);
  return isSame ? comparison.signed : null;
}
