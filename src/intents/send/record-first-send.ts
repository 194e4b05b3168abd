import type { ChainPace } from '../../chain/pace/chain-pace.ts';
import { asynchronousCommit } from '../../db/async-commit.ts';
import type { Database } from '../../db/client.ts';
import { rowById } from '../../db/row-look-up.ts';
import { nextSendAfter } from './resend-interval.ts';

/** A first send that a node has accepted. */
export interface AcceptedFirstSend {
  intentId: string;
  /** base58. */
  signature: string;
  sentAt: Date;
}

/**
 * Stores the ids of accepted transactions, and moves their next send to the usual interval. Changes that a
 * worker has stored meanwhile stay. Locks intents before jobs and in the order of their ids, like
 * `endIntents`; each is looked up by itself (`rowById`). A lost record only means that the same bytes are
 * sent twice, so the commit does not wait for the disk.
 */
export async function recordFirstSends(
  db: Database,
  sends: readonly AcceptedFirstSend[],
  pace: ChainPace,
): Promise<void> {
  const ids = sends.map(({ intentId }) => intentId);
  const signatures = sends.map(({ signature }) => signature);
  const nextSendsAt = sends.map(({ sentAt }) => nextSendAfter(sentAt, pace).toISOString());
  await db`
    with sent as materialized (
      select i.id, s.signature, s.next_send_at::timestamptz
      from (
        select * from unnest(${ids}::uuid[], ${signatures}::text[], ${nextSendsAt}::text[])
          as s (id, signature, next_send_at)
        where ${asynchronousCommit(db)} order by id
      ) s, lateral (
        select id from transaction_intents
        where id = s.id and status = 'submitted' and transaction_signature is null for update
      ) i
    ), accepted as (
      update transaction_intents i set transaction_signature = sent.signature from sent
      where ${rowById(db, db`i.id`, db`sent.id`)}
    )
    update intent_broadcasts b set next_send_at = greatest(b.next_send_at, sent.next_send_at)
    from sent where ${rowById(db, db`b.intent_id`, db`sent.id`)}`;
}

/**
 * Makes the job of a first send without an accepting node due at once, and records the responses.
 * @param isUnsent it reached no node: the first count of the submission is taken back
 */
export async function leaveToWorker(
  db: Database,
  intentId: string,
  { isUnsent, isMisanswered }: { isUnsent: boolean; isMisanswered: boolean },
  now: Date,
): Promise<void> {
  await db`
    update intent_broadcasts set
      next_send_at = least(next_send_at, ${now}),
      misanswered = misanswered or ${isMisanswered},
      send_count = case when ${isUnsent} then greatest(0, send_count - 1) else send_count end
    where intent_id = ${intentId}`;
}
