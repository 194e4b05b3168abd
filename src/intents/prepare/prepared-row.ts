import { type IntentOrigin, routeAndLevel } from '../composed-intent.ts';
import type { IntentRow } from '../row.ts';
import type { CheckedPreparation } from './check-preparation.ts';

/**
 * The row of a new intent.
 * @param origin of a transaction that a flow made; null for one that the caller gave
 */
export function preparedRow(
  id: string,
  { preparation, signatureOffset, blockhash, lastValidBlockHeight }: CheckedPreparation,
  origin: IntentOrigin | null,
  createdAt: Date,
) {
  const { accountId, kind, expectedSigner, policy } = preparation;
  return {
    id,
    accountId,
    kind,
    status: 'prepared' as const,
    expectedSigner,
    preparedTransaction: preparation.transaction,
    signatureOffset,
    signedTransaction: null,
    recentBlockhash: blockhash,
    lastValidBlockHeight,
    policy,
    ...routeAndLevel(preparation),
    mintAddress: origin?.mintAddress ?? null,
    launchId: origin?.launchId ?? null,
    tipLamports: origin?.tipLamports ?? null,
    quote: origin?.quote ?? null,
    transactionSignature: null,
    errorCode: null,
    errorDetail: null,
    version: 1,
    expiresAt: new Date(createdAt.getTime() + preparation.expiresInMs),
    createdAt,
    submittedAt: null,
    completedAt: null,
  } satisfies IntentRow;
}
