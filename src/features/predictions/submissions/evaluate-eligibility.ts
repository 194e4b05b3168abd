import type { Queryable } from '../../../db/client.ts';
import type { Clock } from '../../../shared/clock.ts';
import { Problem } from '../../../shared/problem.ts';
import type { RoundStatus } from '../rounds/state.ts';
import { failedRequirements } from './eligibility.ts';
import { type BalanceDependencies, readFinalizedBalance } from './read-finalized-balance.ts';
import type { Eligibility } from './schema.ts';

interface FactsRow {
  id: string;
  status: RoundStatus;
  locksAt: Date;
  minimumBalanceRaw: string;
  tokenIsEnabled: boolean;
  username: string | null;
  isVerified: boolean;
}

/**
 * Judges every requirement of a round for a wallet, its finalized balance included, in any state of the
 * round. Throws `prediction_round_not_found` (also with another or a hidden mint),
 * `prediction_balance_unavailable`.
 */
export async function evaluateEligibility(
  database: Queryable,
  dependencies: BalanceDependencies & { clock: Clock },
  { mintAddress, roundId, walletAddress }: { mintAddress: string; roundId: string; walletAddress: string },
): Promise<Eligibility> {
  const facts = await readFacts(database, mintAddress, roundId, walletAddress);
  if (facts === null) throw new Problem('prediction_round_not_found');
  const balance = await readFinalizedBalance(dependencies, walletAddress, mintAddress);
  if (!balance.ok)
    throw new Problem('prediction_balance_unavailable', { cause: new Error(balance.failure.message) });
  const now = dependencies.clock.now();
  const minimumBalanceRaw = BigInt(facts.minimumBalanceRaw);
  const roundIsOpen = facts.status === 'open' && now < facts.locksAt;
  const reasons = failedRequirements({ ...facts, minimumBalanceRaw, roundIsOpen }, balance.value.amountRaw);
  return {
    roundId: facts.id,
    walletAddress,
    eligible: reasons.length === 0,
    reasons,
    roundStatus: facts.status,
    balanceRaw: balance.value.amountRaw.toString(),
    minimumBalanceRaw: facts.minimumBalanceRaw,
    evaluationSlot: balance.value.slot.toString(),
    evaluatedAt: now.toISOString(),
    locksAt: facts.locksAt.toISOString(),
  };
}

async function readFacts(
  db: Queryable,
  mintAddress: string,
  roundId: string,
  walletAddress: string,
): Promise<FactsRow | null> {
  const [row] = await db<FactsRow[]>`
    select r.id, r.status, r.locks_at, r.minimum_balance_raw,
      coalesce(t.predictions_enabled, false) as token_is_enabled, w.username,
      coalesce(w.verified, false) as is_verified
    from prediction_rounds r join visible_tokens t using (mint_address)
    left join wallets w on w.address = ${walletAddress}
    where r.id = ${roundId} and r.mint_address = ${mintAddress}`;
  return row ?? null;
}
