import type { Claim } from '../../../chain/pools/claims/claim.ts';
import type { Tip } from '../../../chain/transactions/tip.ts';
import type { ComposedIntent, IntentKeeper } from '../../../intents/composed-intent.ts';
import { composeSimulated } from '../../../intents/prepare/compose-simulated.ts';
import { Problem } from '../../../shared/problem.ts';
import {
  type ClaimOrder,
  type PlanDependencies,
  type PlannedTransaction,
  planClaims,
} from './plan-claims.ts';
import { lamportsOf, toPreparedClaim } from './record.ts';
import type { FeeClaims } from './schema.ts';

export interface ClaimDependencies extends PlanDependencies {
  intentKeeper: IntentKeeper;
}

/** An intent that is ready to be stored, with its claims. */
export interface ClaimIntent {
  intent: ComposedIntent;
  claims: readonly Claim[];
  shown: FeeClaims['intents'][number];
}

export interface PreparedClaims {
  intents: ClaimIntent[];
  shown: FeeClaims;
}

const INTENT_KIND = 'fee_claim';

/**
 * Makes intents of the transactions that claim, or returns the problem that prevents it. Runs before the
 * database transaction opens, so it never throws a problem.
 */
export async function prepareClaims(
  dependencies: ClaimDependencies,
  request: ClaimOrder,
): Promise<PreparedClaims | Problem> {
  const plan = await planClaims(dependencies, request);
  if (plan instanceof Problem) return plan;
  const { transactions, tip, ...others } = plan;
  const intents = transactions.map((planned) => composeIntent(dependencies, request, planned, tip));
  const claimed = intents.flatMap(({ claims }) => claims);
  return {
    intents,
    shown: {
      walletAddress: request.wallet,
      claimedLamports: String(lamportsOf(claimed)),
      slot: String(oldestSlot(claimed)),
      intents: intents.map(({ shown }) => shown),
      ...others,
    },
  };
}

function oldestSlot(claims: readonly Claim[]): bigint {
  const [oldest = 0n] = claims.map(({ slot }) => slot).sort((one, other) => Number(one - other));
  return oldest;
}

function composeIntent(
  dependencies: ClaimDependencies,
  { accountId, wallet, sending: requested }: ClaimOrder,
  { id, claims, transaction, networkFeeLamports, rentLamports }: PlannedTransaction,
  tip: Tip | null,
): ClaimIntent {
  const [mint, another] = new Set(claims.map((claim) => claim.mint));
  const { intent, sending } = composeSimulated(dependencies, transaction, {
    id,
    accountId,
    kind: INTENT_KIND,
    wallet,
    tip,
    allowedPrograms: transaction.allowedPrograms,
    mintAddress: another === undefined ? (mint ?? null) : null,
    sending: requested,
  });
  const shown = {
    claims: claims.map(toPreparedClaim),
    claimedLamports: String(lamportsOf(claims)),
    networkFeeLamports: String(networkFeeLamports),
    rentLamports: String(rentLamports),
    sending,
    intent: intent.shown,
  };
  return { intent, claims, shown };
}
