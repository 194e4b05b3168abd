import type { FinalizedBalance } from '../../../chain/holdings/finalized-balance.ts';
import { verifyStrict } from '../../../chain/verify-signature.ts';
import type { ProblemCause } from '../../../shared/problem.ts';
import type { ProblemCode } from '../../../shared/problem-table.ts';
import { type IntentTerms, intentText } from '../intents/signed-text.ts';
import type { RoundStatus } from '../rounds/state.ts';
import { type EligibilityFacts, type EligibilityReason, failedRequirements } from './eligibility.ts';
import { isPredictablePrice } from './price-range.ts';

/**
 * Order in which failures become the response; the rest become its `causes`
 * (contract/predictions#failure-precedence): missing records, then states, then content. An unreadable
 * balance comes last: it decides only when nothing else does.
 */
export const failurePrecedence = [
  'prediction_intent_not_found',
  'prediction_token_not_enabled',
  'prediction_round_not_open',
  'prediction_already_submitted',
  'prediction_username_required',
  'prediction_wallet_not_verified',
  'prediction_insufficient_balance',
  'prediction_intent_consumed',
  'prediction_intent_expired',
  'prediction_wallet_mismatch',
  'prediction_authorization_invalid',
  'prediction_price_out_of_range',
  'prediction_balance_unavailable',
] as const satisfies readonly ProblemCode[];
type FailureCode = (typeof failurePrecedence)[number];
export type SubmissionFailure = ProblemCause & { code: FailureCode };

/** The newest intent for the round, wallet and account. */
export interface StoredIntent extends IntentTerms {
  signature: Uint8Array;
  isConsumed: boolean;
}

/** All facts that decide on a submission. Facts about the wallet concern the key's wallet. */
export interface SubmissionFacts extends EligibilityFacts {
  roundStatus: RoundStatus;
  locksAt: Date;
  requiresDelegatedIntent: boolean;
  hasPredicted: boolean;
  intent: StoredIntent | null;
  /** Null when the balance could not be read. */
  balance: FinalizedBalance | null;
}

export interface JudgedSubmission {
  /** From the body. */
  walletAddress: string;
  /** From the body, a DecimalString of any size. */
  predictedPriceInSol: string;
  /** The wallet that the key is pinned to. */
  pinnedWallet: string;
  now: Date;
}

/**
 * Lists every failure of a submission in the order of `failurePrecedence`. For a wallet other than the key's
 * it judges only rules that do not depend on the wallet: the response must reveal nothing about it.
 */
export function judgeSubmission(facts: SubmissionFacts, submission: JudgedSubmission): SubmissionFailure[] {
  const found = [...roundFailures(facts), ...priceFailures(submission)];
  if (submission.walletAddress === submission.pinnedWallet) {
    found.push(...walletFailures(facts), ...intentFailures(facts, submission));
  } else {
    found.push({ code: 'prediction_wallet_mismatch' });
  }
  return found.sort((a, b) => failurePrecedence.indexOf(a.code) - failurePrecedence.indexOf(b.code));
}

function roundFailures({ tokenIsEnabled, roundIsOpen, roundStatus, locksAt }: SubmissionFacts) {
  const failures: SubmissionFailure[] = [];
  if (!tokenIsEnabled) failures.push({ code: 'prediction_token_not_enabled' });
  if (!roundIsOpen) {
    const context = { roundStatus, locksAt: locksAt.toISOString() };
    failures.push({ code: 'prediction_round_not_open', context });
  }
  return failures;
}

function priceFailures({ predictedPriceInSol }: JudgedSubmission): SubmissionFailure[] {
  return isPredictablePrice(predictedPriceInSol) ? [] : [{ code: 'prediction_price_out_of_range' }];
}

/** Problem codes of the eligibility rules; the rules of the round are judged above. */
const walletRequirements: Partial<Record<EligibilityReason, FailureCode>> = {
  username_required: 'prediction_username_required',
  wallet_not_verified: 'prediction_wallet_not_verified',
  insufficient_balance: 'prediction_insufficient_balance',
};

function walletFailures(facts: SubmissionFacts): SubmissionFailure[] {
  const { balance, minimumBalanceRaw } = facts;
  const failures: SubmissionFailure[] = [];
  for (const reason of failedRequirements(facts, balance?.amountRaw ?? null)) {
    const code = walletRequirements[reason];
    if (code === undefined) continue;
    const context =
      reason === 'insufficient_balance' && balance !== null
        ? balanceContext(balance, minimumBalanceRaw)
        : null;
    failures.push({ code, ...(context && { context }) });
  }
  if (balance === null) failures.push({ code: 'prediction_balance_unavailable' });
  if (facts.hasPredicted) failures.push({ code: 'prediction_already_submitted' });
  return failures;
}

function balanceContext(balance: FinalizedBalance, minimumBalanceRaw: bigint): Record<string, string> {
  return {
    balanceRaw: balance.amountRaw.toString(),
    minimumBalanceRaw: minimumBalanceRaw.toString(),
    evaluationSlot: balance.slot.toString(),
  };
}

function intentFailures(
  { requiresDelegatedIntent, intent }: SubmissionFacts,
  { predictedPriceInSol, now }: JudgedSubmission,
): SubmissionFailure[] {
  if (!requiresDelegatedIntent) return [];
  if (intent === null) return [{ code: 'prediction_intent_not_found' }];
  const failures: SubmissionFailure[] = [];
  if (intent.isConsumed) failures.push({ code: 'prediction_intent_consumed' });
  if (intent.expiresAt <= now) {
    failures.push({
      code: 'prediction_intent_expired',
      context: { expiresAt: intent.expiresAt.toISOString() },
    });
  }
  if (intent.predictedPriceInSol !== predictedPriceInSol || !isSigned(intent))
    failures.push({ code: 'prediction_authorization_invalid' });
  return failures;
}

/**
 * As strict as for transactions: a small-order or non-canonical point is never a valid signer
 * (contract/intents#signature-verification).
 */
function isSigned(intent: StoredIntent): boolean {
  return verifyStrict(intent.walletAddress, Buffer.from(intentText(intent), 'utf8'), intent.signature);
}
