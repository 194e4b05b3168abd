import type { FinalizedBalance } from '../../../chain/holdings/finalized-balance.ts';
import type { RpcOutcome } from '../../../chain/rpc.ts';
import type { Database } from '../../../db/client.ts';
import {
  hasNoStoredResponse,
  isAccepted,
  type ResponseRecord,
  storeResponse,
  tryIdempotencyLock,
} from '../../../db/idempotency-record.ts';
import type { Reader } from '../../../db/look-ups.ts';
import { type ComposedEvent, insertEvent } from '../../../outbox/event-rows.ts';
import { timedId } from '../../../shared/timed-id.ts';
import { judgeSubmission } from './failures.ts';
import { readSubmissionFacts } from './read-submission-facts.ts';
import { type PredictionRow, toPrediction } from './record.ts';
import type { Prediction } from './schema.ts';
import type { Submission, SubmissionDependencies } from './submit-prediction.ts';

export interface FastPathDependencies extends SubmissionDependencies {
  database: Database;
  lookUps: Reader;
}

/** Values that are stored with a prediction besides its own columns. */
interface Accepted {
  accountId: string;
  username: string;
  event: ComposedEvent;
  record: ResponseRecord;
}

/**
 * Accepts an ordinary prediction in one statement and one round trip: prediction, event and stored response
 * together. Null, and nothing changed, when a check fails, the round requires a delegated intent, or the key
 * is not new: `submitPrediction` then does the work or explains the failure.
 */
export async function acceptOnFastPath(
  submission: Submission,
  balance: RpcOutcome<FinalizedBalance> | null,
  { database, outbox, clock }: FastPathDependencies,
  respond: (prediction: Prediction) => ResponseRecord,
): Promise<ResponseRecord | null> {
  const { roundId, accountId, pinnedWallet } = submission;
  if (balance?.ok !== true) return null;
  const facts = await readSubmissionFacts(database, roundId, pinnedWallet, accountId);
  if (facts === null || facts.requiresDelegatedIntent || facts.username === null) return null;
  const submittedAt = clock.now();
  const roundIsOpen = facts.roundStatus === 'open' && facts.locksAt > submittedAt;
  const judged = { ...submission, now: submittedAt };
  if (judgeSubmission({ ...facts, roundIsOpen, balance: balance.value }, judged).length > 0) return null;
  const row: PredictionRow = {
    id: timedId(submittedAt),
    roundId,
    mintAddress: facts.mintAddress,
    walletAddress: pinnedWallet,
    predictedPriceInSol: submission.predictedPriceInSol,
    status: 'accepted',
    evaluationSlot: balance.value.slot,
    balanceRaw: balance.value.amountRaw.toString(),
    submittedAt,
    rank: null,
    distancePpm: null,
    payoutLamports: null,
  };
  const prediction = toPrediction(row);
  const event = outbox.compose({
    name: 'prediction.submitted',
    subject: row.id,
    accountId,
    data: prediction,
    time: submittedAt,
  });
  const record = respond(prediction);
  const accepted = await commit(database, row, { accountId, username: facts.username, event, record });
  if (!accepted) return null;
  outbox.hint(event);
  return record;
}

/**
 * Checks again every fact that may have changed since it was read. The round is held open until the commit,
 * as in `holdOpenRound`; a concurrent duplicate with the same key, or from the same wallet, changes nothing.
 */
function commit(
  database: Database,
  row: PredictionRow,
  { accountId, username, event, record }: Accepted,
): Promise<boolean> {
  return isAccepted(database`
    with guard as materialized (${tryIdempotencyLock(database, record)}),
    held as materialized (
      select r.id as round_id
      from guard, prediction_rounds r join visible_tokens t using (mint_address), wallets w
      where guard.acquired and r.id = ${row.roundId} and r.status = 'open' and r.locks_at > ${row.submittedAt}
        and not r.requires_delegated_intent and r.minimum_balance_raw <= ${row.balanceRaw}::numeric
        and t.predictions_enabled
        and w.address = ${row.walletAddress} and w.verified and w.username = ${username}
        and ${hasNoStoredResponse(database, database`${accountId}::uuid`, record)}
      for share of r
    ), accepted as (
      insert into predictions (id, round_id, account_id, wallet_address, username, predicted_price_in_sol, status,
        evaluation_slot, balance_raw, submitted_at)
      select ${row.id}::uuid, round_id, ${accountId}::uuid, ${row.walletAddress}, ${username}, ${row.predictedPriceInSol}::numeric,
        'accepted', ${row.evaluationSlot}::bigint, ${row.balanceRaw}::numeric, ${row.submittedAt}::timestamptz
      from held
      on conflict (round_id, wallet_address) do nothing
      returning account_id, submitted_at
    ), recorded as (${insertEvent(database, event, database`from accepted`)}),
    responded as (${storeResponse(database, record)})
    select from accepted`);
}
