import type { SignatureStatus } from '../../chain/rpc/transaction-calls.ts';
import type { IntentEnd } from '../end/end-intents.ts';
import { agreedFailure, landedOutcome } from './outcome.ts';

/** An intent with the id of its transaction, base58. */
export interface SignedIntent {
  intentId: string;
  signature: string;
}

/**
 * Reports of nodes about a batch of intents, used as the responses arrive: a hanging node does not delay the
 * other reports.
 */
export class LandedReports<Intent extends SignedIntent> {
  readonly #intents: readonly Intent[];
  readonly #unsettled: Map<string, Intent>;
  readonly #failures = new Map<string, (string | null)[]>();

  constructor(intents: readonly Intent[]) {
    this.#intents = intents;
    this.#unsettled = new Map(intents.map((intent) => [intent.intentId, intent]));
  }

  /** Intents that no report has ended. */
  get unsettled(): readonly Intent[] {
    return [...this.#unsettled.values()];
  }

  /** A node has reported that it landed and failed. */
  isReportedFailed({ intentId }: SignedIntent): boolean {
    return this.#failures.has(intentId);
  }

  /**
   * Takes the response of one node, in the order of the batch, and returns the ends. One node is enough to
   * confirm. A failure needs as many nodes as an expiry (`needed`), because the client would then send
   * another transaction.
   */
  take(statuses: readonly (SignatureStatus | null)[], needed: number): IntentEnd[] {
    return this.#intents.flatMap((intent, at) => {
      const status = statuses[at] ?? null;
      const outcome = landedOutcome(status);
      if (status === null || outcome === null) return [];
      const reported = this.#failures.get(intent.intentId) ?? [];
      if (outcome !== 'confirmed') {
        reported.push(status.failure);
        this.#failures.set(intent.intentId, reported);
        if (reported.length < needed) return [];
      }
      const end = landedEnd(intent, outcome, status.slot, agreedFailure(reported));
      return this.#unsettled.delete(intent.intentId) ? [end] : [];
    });
  }
}

export function landedEnd(
  { intentId, signature }: SignedIntent,
  outcome: 'confirmed' | 'solana_transaction_failed',
  slot: bigint,
  failure: string | null,
): IntentEnd {
  return outcome === 'confirmed'
    ? { intentId, status: 'confirmed', transactionSignature: signature, slot }
    : { ...failedEnd(intentId, outcome, signature), slot, failure };
}

export function failedEnd(
  intentId: string,
  errorCode: Extract<IntentEnd, { status: 'failed' }>['errorCode'],
  transactionSignature: string | null,
): Extract<IntentEnd, { status: 'failed' }> {
  return { intentId, status: 'failed', errorCode, transactionSignature };
}
