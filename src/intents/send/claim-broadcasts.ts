import type { ChainPace } from '../../chain/pace/chain-pace.ts';
import { asynchronousCommit } from '../../db/async-commit.ts';
import type { Database } from '../../db/client.ts';
import type { IntentPolicy, SendRoute } from '../../db/values/transaction-intents.ts';
import { nextSendAfter, RESEND_MAX_MS, SLOW_RESEND_SECONDS } from './resend-interval.ts';

/** A submitted intent that is due for sending. */
export interface DueBroadcast {
  intentId: string;
  signedTransaction: Uint8Array;
  policy: IntentPolicy;
  sendRoute: SendRoute;
  /** Set once a node has accepted it. */
  transactionSignature: string | null;
  submittedAt: Date;
  /** True when no node is known to have it and no worker has claimed it before. */
  isFirst: boolean;
  /** W3C trace context of the submission; null without tracing. */
  traceparent: string | null;
}

/** SQL: a broadcast is due at `now`. */
export function isBroadcastDue(db: Database, now: Date): ReturnType<Database> {
  return db`exists (select from intent_broadcasts where next_send_at <= ${now})`;
}

/**
 * Claims up to `limit` due broadcasts. Moving `next_send_at` is the lease: no two workers send one at the
 * same time, and the claims of a killed worker are due again with the next resend. A claim counts the send
 * before it is made, so that a worker which dies in between never leaves a sent transaction that seems
 * unsent. Therefore the commit waits for the disk while one of the transactions is not known to be at a node.
 * Otherwise it does not wait: a lost lease only means that the same bytes are sent twice.
 */
export async function claimBroadcasts(
  db: Database,
  now: Date,
  pace: ChainPace,
  limit: number,
): Promise<DueBroadcast[]> {
  const nextSendAt = nextSendAfter(now, pace);
  return db<DueBroadcast[]>`
    with due as (
      select intent_id, next_send_at as due_at from intent_broadcasts where next_send_at <= ${now}
      order by next_send_at limit ${limit} for update skip locked
    ), claimed as materialized (
      select due.due_at, i.id, i.signed_transaction, i.policy, i.send_route, i.transaction_signature, i.submitted_at,
        case when i.last_valid_block_height is null and i.expires_at <= ${now}
          then ${now}::timestamptz + make_interval(secs => ${SLOW_RESEND_SECONDS}) else ${nextSendAt} end as next_at
      from due join transaction_intents i on i.id = due.intent_id where i.status = 'submitted'
    )
    update intent_broadcasts b set next_send_at = c.next_at, send_count = b.send_count + 1
    from claimed c
    where b.intent_id = c.id
      and case when (select bool_or(transaction_signature is null) from claimed) then true else ${asynchronousCommit(db)} end
    returning b.intent_id, c.signed_transaction, c.policy, c.send_route, c.transaction_signature, c.submitted_at,
      b.traceparent, c.transaction_signature is null
        and c.due_at <= b.created_at + ${RESEND_MAX_MS} * interval '1 millisecond' as is_first`;
}

/** Stores the id of a transaction when a node has accepted it for the first time. */
export async function recordAcceptance(db: Database, intentId: string, signature: string): Promise<void> {
  await db`
    update transaction_intents set transaction_signature = ${signature}
    where id = ${intentId} and status = 'submitted' and transaction_signature is null`;
}

/**
 * Uncounts a send that reached no node, if its claim found no signature: counts of other claims may be lost.
 */
export async function uncountSend(db: Database, intentId: string): Promise<void> {
  await db`
    update intent_broadcasts set send_count = send_count - 1 where intent_id = ${intentId} and send_count > 0`;
}

/** Records that a node accepted a send with the signature of another transaction. */
export async function recordSignatureMismatch(db: Database, intentId: string): Promise<void> {
  await db`update intent_broadcasts set misanswered = true where intent_id = ${intentId} and not misanswered`;
}
