import { asynchronousCommit } from '../../../db/async-commit.ts';
import type { Database } from '../../../db/client.ts';
import { rowById } from '../../../db/row-look-up.ts';
import { nextSendAfter } from './resend-interval.ts';

/** A first send that a node has taken. */
export interface AcceptedFirstSend {
  intentId: string;
  /** base58. */
  signature: string;
  sentAt: Date;
}

/**
 * Stores the ids of transactions that a node has taken, and has them sent again only after the usual interval. What a
 * worker has stored, sent or ended meanwhile stays as it is. Intents are locked before jobs and in the order of their
 * ids, as `endIntents` does; each is looked up by itself (`rowById`). A record lost with the database means the same bytes
 * twice, so its commit does not wait for the disk.
 */
export async function recordFirstSends(db: Database, sends: readonly AcceptedFirstSend[]): Promise<void> {
  const ids = sends.map(({ intentId }) => intentId);
  const signatures = sends.map(({ signature }) => signature);
  const nextSendsAt = sends.map(({ sentAt }) => nextSendAfter(sentAt).toISOString());
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
 * Hands a first send that no node has taken to the worker: due at once, with what the nodes said.
 *
 * @param isUnsent it reached no node: the count that the submission began with is taken back.
 */
export async function leaveToWorker(
  db: Database,
  intentId: string,
  { isUnsent, isMisanswered }: { isUnsent: boolean; isMisanswered: boolean },
  now: Date,
): Promise<void> {
  await db`
    update intent_broadcasts set
      next_send_at = least(next_send_at, ${now}), misanswered = misanswered or ${isMisanswered},
      send_count = case when ${isUnsent} then greatest(0, send_count - 1) else send_count end
    where intent_id = ${intentId}`;
}
