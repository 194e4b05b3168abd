import type { ChainHeadSource } from '../../chain/head.ts';
import type { Transaction } from '../../db/client.ts';
import type { ResponseRecord } from '../../db/idempotency-record.ts';
import type { Reader } from '../../db/look-ups.ts';
import { isOwnedBy } from '../../db/row-look-up.ts';
import type { Outbox } from '../../outbox/append.ts';
import type { ComposedEvent } from '../../outbox/event-rows.ts';
import type { Clock } from '../../shared/clock.ts';
import { Problem } from '../../shared/problem.ts';
import { isPastWindow } from '../blockhash-window.ts';
import { type IntentRow, intentColumns, toIntentEvent } from '../row.ts';
import type { TransactionIntentEvent } from '../schema.ts';
import type { FirstBroadcaster } from '../send/first-broadcaster.ts';
import { nextSendAfter } from '../send/resend-interval.ts';
import type { IntentFacts } from './intent-facts.ts';
import { judgeSubmission, type Submission } from './judge-submission.ts';
import { storeSubmissions } from './store-submissions.ts';
import type { SubmissionWriter } from './submission-writer.ts';

export interface SubmissionDependencies {
  lookUps: Reader;
  outbox: Outbox;
  chainHead: ChainHeadSource;
  clock: Clock;
  intentFacts: IntentFacts;
  submissionWriter: Pick<SubmissionWriter, 'write'>;
  firstBroadcaster: Pick<FirstBroadcaster, 'send'>;
}

/** A submission that has passed every check. */
export interface AcceptedSubmission {
  /** The intent after its submission. */
  submitted: IntentRow;
  /** When the worker sends it, after the first send of this process. */
  nextSendAt: Date;
  shown: TransactionIntentEvent;
  event: ComposedEvent;
}

/**
 * Judges a submission by the intent in the memory of this process. Null when it is refused: `submitIntent`
 * gives the reason.
 */
export async function acceptKnown(
  submission: Submission,
  dependencies: SubmissionDependencies,
): Promise<AcceptedSubmission | null> {
  const { lookUps, intentFacts } = dependencies;
  const known = intentFacts.get(lookUps, submission);
  const intent = known instanceof Promise ? await known : known;
  if (intent === null) return null;
  const accepted = accept(intent, submission, [], dependencies);
  return accepted instanceof Problem ? null : accepted;
}

/**
 * Stores a submission with its response in one statement, and sends it. False, with nothing changed, when a
 * row or the key is in use.
 */
export async function storeAndSend(
  accepted: AcceptedSubmission,
  record: ResponseRecord,
  dependencies: SubmissionDependencies,
): Promise<boolean> {
  const { submissionWriter, intentFacts } = dependencies;
  const isStored = await submissionWriter.write({ ...accepted, record });
  intentFacts.forget(accepted.submitted.id);
  if (isStored) sendAccepted(accepted, dependencies);
  return isStored;
}

/** Sends a submission that has committed. */
export function sendAccepted(
  { submitted, event }: AcceptedSubmission,
  { firstBroadcaster, outbox }: SubmissionDependencies,
): void {
  firstBroadcaster.send({ submitted, traceparent: event.traceparent });
  outbox.hint(event);
}

/**
 * Stores a submission in the caller's transaction (contract/intents#one-transaction), after other holders of
 * the intent have finished. Throws the problem that refuses it; then the intent is unchanged.
 */
export async function submitIntent(
  transaction: Transaction,
  submission: Submission,
  dependencies: SubmissionDependencies,
): Promise<AcceptedSubmission> {
  const [intent, wallets] = await Promise.all([
    lockIntent(transaction, submission),
    accountWallets(transaction, submission),
  ]);
  if (intent === null) throw new Problem('transaction_intent_not_found');
  const accepted = accept(intent, submission, wallets, dependencies);
  if (accepted instanceof Problem) throw accepted;
  const [isStored] = await storeSubmissions(transaction, [{ ...accepted, record: null }]);
  if (isStored !== true) throw new Error('a locked prepared intent could not be submitted');
  return accepted;
}

function accept(
  intent: IntentRow,
  submission: Submission,
  wallets: readonly string[],
  { outbox, chainHead, clock }: SubmissionDependencies,
): AcceptedSubmission | Problem {
  const now = clock.now();
  const signedTransaction = judgeSubmission(intent, submission, {
    now,
    isPastWindow: isPastWindow(intent, { chainHead, clock }),
    accountWallets: wallets,
  });
  if (signedTransaction instanceof Problem) return signedTransaction;
  const submitted: IntentRow = {
    ...intent,
    status: 'submitted',
    version: intent.version + 1,
    signedTransaction,
    submittedAt: now,
  };
  const shown = toIntentEvent(submitted);
  const event = outbox.compose({
    name: 'transaction_intent.submitted',
    subject: intent.id,
    accountId: intent.accountId,
    data: shown,
    time: now,
  });
  return { submitted, nextSendAt: nextSendAfter(now, chainHead.pace()), shown, event };
}

/**
 * Like `findIntent`, with locks: no other transaction changes the intent or deletes its account until this
 * one ends.
 */
async function lockIntent(
  transaction: Transaction,
  { intentId, accountId }: Submission,
): Promise<IntentRow | null> {
  const [row] = await transaction<IntentRow[]>`
    with account as materialized (select from accounts where id = ${accountId} for key share)
    select ${intentColumns(transaction)} from transaction_intents i
    where id = ${intentId} and ${isOwnedBy(transaction, transaction`account_id`, accountId)}
      and exists (select from account)
    for update`;
  return row ?? null;
}

async function accountWallets(transaction: Transaction, { accountId }: Submission): Promise<string[]> {
  const rows = await transaction<{ walletAddress: string }[]>`
    select distinct wallet_address from api_keys where account_id = ${accountId}`;
  return rows.map(({ walletAddress }) => walletAddress);
}
