import type { Queryable, Transaction } from '../../../db/client.ts';
import { normaliseDecimal } from '../../../shared/decimal.ts';
import type { RoundStatus } from '../rounds/state.ts';
import type { StoredIntent, SubmissionFacts } from './failures.ts';
import type { PredictionRow } from './record.ts';

/** The mint of a round, which never changes; null when there is no such round. */
export async function findRoundMint(db: Queryable, roundId: string): Promise<string | null> {
  const [row] = await db<{ mintAddress: string }[]>`
    select mint_address from prediction_rounds where id = ${roundId}`;
  return row?.mintAddress ?? null;
}

/**
 * Keeps an open round from locking until the end of the transaction; false when it is not open, or past `locksAt`:
 * then nothing is held, so that submissions that come too late cannot hold up the lock.
 */
export async function holdOpenRound(transaction: Transaction, roundId: string, now: Date): Promise<boolean> {
  const held = await transaction`
    select from prediction_rounds where id = ${roundId} and status = 'open' and locks_at > ${now} for share`;
  return held.count === 1;
}

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

/** Facts of the database, besides whether the round is held open. */
export type StoredFacts = Omit<SubmissionFacts, 'roundIsOpen' | 'balance'> & { mintAddress: string };

/** What is stored about a round of a visible token, a wallet, and its newest intent for the account; null: no round. */
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
    from prediction_rounds r join tokens t using (mint_address)
    left join wallets w on w.address = ${walletAddress}
    left join lateral (
      select id, predicted_price_in_sol, signature, expires_at, consumed_by from prediction_intents
      where round_id = r.id and wallet_address = ${walletAddress} and account_id = ${accountId}
      order by id desc
      limit 1) i on r.requires_delegated_intent
    where r.id = ${roundId} and not t.hidden`;
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

export interface NewPrediction {
  roundId: string;
  accountId: string;
  walletAddress: string;
  username: string;
  predictedPriceInSol: string;
  evaluationSlot: bigint;
  balanceRaw: bigint;
  submittedAt: Date;
}

/** Null when the wallet has a prediction in the round: of several at once, one is stored. */
export async function insertPrediction(
  transaction: Transaction,
  prediction: NewPrediction,
): Promise<Omit<PredictionRow, 'mintAddress'> | null> {
  const { roundId, accountId, walletAddress, username, predictedPriceInSol, evaluationSlot } = prediction;
  const [row] = await transaction<Omit<PredictionRow, 'mintAddress'>[]>`
    insert into predictions
      (id, round_id, account_id, wallet_address, username, predicted_price_in_sol, status, evaluation_slot,
       balance_raw, submitted_at)
    values (${Bun.randomUUIDv7()}, ${roundId}, ${accountId}, ${walletAddress}, ${username}, ${predictedPriceInSol},
      'accepted', ${evaluationSlot}, ${prediction.balanceRaw.toString()}, ${prediction.submittedAt})
    on conflict (round_id, wallet_address) do nothing
    returning id, round_id, wallet_address, predicted_price_in_sol, status, evaluation_slot, balance_raw,
      submitted_at, rank, distance_ppm, payout_lamports`;
  return row ?? null;
}

/** False when another prediction has used the intent. */
export async function consumeIntent(
  transaction: Transaction,
  intentId: string,
  predictionId: string,
): Promise<boolean> {
  const consumed = await transaction`
    update prediction_intents set consumed_by = ${predictionId} where id = ${intentId} and consumed_by is null`;
  return consumed.count === 1;
}
