import { compareWithPrepared, isSignedBy, isUnsigned } from '../../chain/transactions/compare-submission.ts';
import { decodeCanonicalBase64 } from '../../shared/bytes.ts';
import { Problem } from '../../shared/problem.ts';
import type { IntentRow } from '../row.ts';

export interface Submission {
  intentId: string;
  accountId: string;
  /** Wallet of the API key. */
  pinnedWallet: string;
  /** From `If-Match`. */
  expectedVersion: number;
  /** From the body, when present. */
  bodyVersion: number | undefined;
  /** base64, unchanged. */
  signedTransaction: string;
}

/** The facts besides the intent that decide about a submission. */
export interface SubmissionFacts {
  now: Date;
  /** The chain has passed the last block that takes the transaction. */
  isPastWindow: boolean;
  /**
   * Wallets of the account's API keys. A signature of one of them is from the wrong signer; any other
   * signature is invalid.
   */
  accountWallets: readonly string[];
}

/** The bytes to broadcast, or the first problem in the order of contract/intents#submission-checks. */
export function judgeSubmission(
  intent: IntentRow,
  submission: Submission,
  facts: SubmissionFacts,
): Uint8Array | Problem {
  return stateProblem(intent, submission, facts) ?? judgeBytes(intent, submission, facts);
}

function stateProblem(
  { status, version, expiresAt }: IntentRow,
  { expectedVersion, bodyVersion = expectedVersion }: Submission,
  { now, isPastWindow }: SubmissionFacts,
): Problem | null {
  if (status === 'expired') return new Problem('transaction_intent_expired');
  if (status !== 'prepared') return new Problem('transaction_intent_not_prepared', { context: { status } });
  if (expiresAt <= now || isPastWindow) return new Problem('transaction_intent_expired');
  if (expectedVersion === version && bodyVersion === version) return null;
  return new Problem('transaction_intent_version_conflict', { context: { currentVersion: version } });
}

function judgeBytes(
  { expectedSigner, signatureOffset, preparedTransaction }: IntentRow,
  { signedTransaction, pinnedWallet }: Submission,
  { accountWallets }: SubmissionFacts,
): Uint8Array | Problem {
  const submitted = decodeCanonicalBase64(signedTransaction);
  if (submitted === null) return malformed();
  const comparison = compareWithPrepared(submitted, {
    bytes: preparedTransaction,
    signatureOffset,
    expectedSigner,
  });
  if (comparison.outcome === 'malformed') return malformed();
  if (comparison.outcome === 'tampered') {
    return new Problem('transaction_intent_tampered', {
      causes: comparison.lacksExpectedSigner ? [{ code: 'transaction_intent_wrong_signer' }] : [],
    });
  }
  const { signed } = comparison;
  const wrongSigner = () => new Problem('transaction_intent_wrong_signer', { context: { expectedSigner } });
  if (pinnedWallet !== expectedSigner) return wrongSigner();
  if (isSignedBy(signed, signatureOffset, expectedSigner)) return signed;
  if (isUnsigned(signed, signatureOffset)) {
    return new Problem('transaction_intent_invalid_signature', {
      detail: `The transaction is unsigned: the signature of ${expectedSigner} is missing.`,
    });
  }
  const isByAnother = accountWallets.some((wallet) => isSignedBy(signed, signatureOffset, wallet));
  return isByAnother ? wrongSigner() : new Problem('transaction_intent_invalid_signature');
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
