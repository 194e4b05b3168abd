import type { FinalizedBalance } from '../../../chain/holdings/finalized-balance.ts';
import type { RpcOutcome } from '../../../chain/rpc.ts';
import type { Queryable, Transaction } from '../../../db/client.ts';
import type { Outbox } from '../../../outbox/append.ts';
import type { Clock } from '../../../shared/clock.ts';
import { Problem } from '../../../shared/problem.ts';
import { findRoundMint } from '../rounds/find-round.ts';
import { holdOpenRound } from '../rounds/hold-open-round.ts';
import { judgeSubmission, type SubmissionFailure } from './failures.ts';
import { insertPrediction } from './insert-prediction.ts';
import { type BalanceDependencies, readFinalizedBalance } from './read-finalized-balance.ts';
import { readSubmissionFacts } from './read-submission-facts.ts';
import { toPrediction } from './record.ts';
import type { Prediction } from './schema.ts';

export interface SubmissionDependencies extends BalanceDependencies {
  outbox: Outbox;
  clock: Clock;
}

export interface Submission {
  roundId: string;
  /** From the body. */
  walletAddress: string;
  /** From the body, a DecimalString of any size. */
  predictedPriceInSol: string;
  accountId: string;
  /** The wallet that the key is pinned to. */
  pinnedWallet: string;
}

/**
 * Reads the balance for judging a submission, before the transaction opens; null when there is no such round.
 */
export async function readSubmissionBalance(
  database: Queryable,
  dependencies: BalanceDependencies,
  roundId: string,
  walletAddress: string,
): Promise<RpcOutcome<FinalizedBalance> | null> {
  const mintAddress = await findRoundMint(database, roundId);
  return mintAddress === null ? null : readFinalizedBalance(dependencies, walletAddress, mintAddress);
}

/**
 * Accepts a prediction with its event, in the caller's transaction, and consumes the delegated intent where
 * the round requires one. Throws `prediction_round_not_found` alone, else every failure found, ordered by
 * `failurePrecedence`.
 */
export async function submitPrediction(
  transaction: Transaction,
  submission: Submission,
  balance: RpcOutcome<FinalizedBalance> | null,
  { outbox, clock }: SubmissionDependencies,
): Promise<Prediction> {
  const { roundId, accountId, pinnedWallet } = submission;
  const now = clock.now();
  // Two statements sent together: the second begins when the first is done, and sees the commits of an
  // earlier lock.
  const [roundIsOpen, stored] = await Promise.all([
    holdOpenRound(transaction, roundId, now),
    readSubmissionFacts(transaction, roundId, pinnedWallet, accountId),
  ]);
  if (stored === null) throw new Problem('prediction_round_not_found');
  const known = balance?.ok === true ? balance.value : null;
  const failures = judgeSubmission({ ...stored, roundIsOpen, balance: known }, { ...submission, now });
  refuse(failures, balance);
  const { username, mintAddress, intent } = stored;
  if (known === null || username === null) throw new Error('accepted without a balance or a username');

  const row = await insertPrediction(transaction, {
    ...submission,
    walletAddress: pinnedWallet,
    username,
    evaluationSlot: known.slot,
    balanceRaw: known.amountRaw,
    submittedAt: now,
  });
  if (row === null) throw new Problem('prediction_already_submitted');
  if (intent !== null && !(await consumeIntent(transaction, intent.id, row.id)))
    throw new Problem('prediction_intent_consumed');
  const prediction = toPrediction({ ...row, mintAddress });
  const { id: subject } = prediction;
  await outbox.append(transaction, { name: 'prediction.submitted', subject, accountId, data: prediction });
  return prediction;
}

/** False when another prediction has used the intent. */
async function consumeIntent(
  transaction: Transaction,
  intentId: string,
  predictionId: string,
): Promise<boolean> {
  const consumed = await transaction`
    update prediction_intents set consumed_by = ${predictionId} where id = ${intentId} and consumed_by is null`;
  return consumed.count === 1;
}

function refuse(
  [first, ...causes]: readonly SubmissionFailure[],
  balance: RpcOutcome<FinalizedBalance> | null,
): void {
  if (first === undefined) return;
  const { code, context } = first;
  // For the log: the reason why no node returned the balance.
  const cause = balance?.ok === false ? new Error(balance.failure.message) : undefined;
  throw new Problem(code, { causes, ...(context && { context }), cause });
}
