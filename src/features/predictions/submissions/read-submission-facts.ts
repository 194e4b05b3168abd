import type { Queryable } from '../../../db/client.ts';
import { normaliseDecimal } from '../../../shared/decimal.ts';
import type { RoundStatus } from '../rounds/state.ts';
import type { StoredIntent, SubmissionFacts } from './failures.ts';

interface FactsRow {
  mintAddress: string;
  roundStatus: RoundStatus;
  locksAt: Date;
  minimumBalanceRaw: string;
  requiresDelegatedIntent: boolean;
  tokenIsEnabled: boolean;
  username: string | null;
  isVerified: boolean;
  hasPredicted: boolean;
  intentId: string | null;
  predictedPriceInSol: string;
  signature: Uint8Array;
  expiresAt: Date;
  isConsumed: boolean;
}

/** Facts from the database, except whether the round is held open. */
export type StoredFacts = Omit<SubmissionFacts, 'roundIsOpen' | 'balance'> & { mintAddress: string };

/**
 * Reads the stored facts about a round of a visible token, a wallet, and its newest intent for the account;
 * null when there is no such round.
 */
export async function readSubmissionFacts(
  db: Queryable,
  roundId: string,
  walletAddress: string,
  accountId: string,
): Promise<StoredFacts | null> {
  const [row] = await db<FactsRow[]>`
    select r.mint_address, r.status as round_status, r.locks_at, r.minimum_balance_raw,
      r.requires_delegated_intent, coalesce(t.predictions_enabled, false) as token_is_enabled,
      w.username, coalesce(w.verified, false) as is_verified,
      exists (select from predictions p where p.round_id = r.id and p.wallet_address = ${walletAddress})
        as has_predicted,
      i.id as intent_id, i.predicted_price_in_sol, i.signature, i.expires_at, i.consumed_by is not null as is_consumed
    from prediction_rounds r join visible_tokens t using (mint_address)
    left join wallets w on w.address = ${walletAddress}
    left join lateral (
      select id, predicted_price_in_sol, signature, expires_at, consumed_by from prediction_intents
      where round_id = r.id and wallet_address = ${walletAddress} and account_id = ${accountId}
      order by id desc
      limit 1) i on r.requires_delegated_intent
    where r.id = ${roundId}`;
  if (row === undefined) return null;
  const intent = toIntent(row, { roundId, walletAddress, accountId });
  return { ...row, minimumBalanceRaw: BigInt(row.minimumBalanceRaw), intent };
}

function toIntent(
  { intentId, predictedPriceInSol, signature, expiresAt, isConsumed }: FactsRow,
  terms: { roundId: string; walletAddress: string; accountId: string },
): StoredIntent | null {
  if (intentId === null) return null;
  const price = normaliseDecimal(predictedPriceInSol);
  return { ...terms, id: intentId, predictedPriceInSol: price, signature, expiresAt, isConsumed };
}
