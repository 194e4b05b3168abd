import type { SendResult } from '../../chain/node-trust/judge-send.ts';
import type { FailureReason } from '../../chain/rpc/rpc-failure.ts';
import { asynchronousCommit } from '../../db/async-commit.ts';
import type { Database } from '../../db/client.ts';
import { rowById } from '../../db/row-look-up.ts';

/** What became of one send at one address. */
export interface AddressAnswer {
  /** Name of the address. */
  target: string;
  result: SendResult;
  /** Why the address did not take it, where that is known. */
  reason: FailureReason | null;
}

/** A transaction that landed already has reached its goal (contract/intents#broadcast). */
export function isTaken(result: SendResult): boolean {
  return result === 'accepted' || result === 'already_processed';
}

/** One send of an intent's transaction to its addresses. */
export interface IntentSend {
  intentId: string;
  sentAt: Date;
  /** Newest confirmed slot that the sender knew; null when it knew none. */
  slot: bigint | null;
  answers: readonly AddressAnswer[];
  /** Name of the address that is held out of this intent's sends; null when none is. */
  heldOut: string | null;
}

/** A transaction that a node has for the first time. */
export interface AcceptedSend {
  intentId: string;
  /** base58. */
  signature: string;
}

/** What became of sends. */
export interface SendRecords {
  /** Each intent at most once. */
  answered: readonly IntentSend[];
  accepted: readonly AcceptedSend[];
}

/**
 * Adds sends to the records of their intents and addresses, and stores the ids of accepted transactions. Changes
 * that a worker has stored meanwhile stay. Rows are locked in the order of their keys, so that processes cannot
 * deadlock; each intent is looked up by itself (`rowById`). The job of an intent needs no record: it is due at the
 * usual resend from the beginning. So the commit does not wait for the disk.
 */
export async function recordSends(db: Database, { answered, accepted }: SendRecords): Promise<void> {
  const rows = answered.flatMap(rowsOf);
  if (rows.length + accepted.length === 0) return;
  await db`
    with open as materialized (
      select i.id, a.signature
      from (
        select * from unnest(
          ${accepted.map(({ intentId }) => intentId)}::uuid[], ${accepted.map(({ signature }) => signature)}::text[]
        ) as a (id, signature)
        where ${asynchronousCommit(db)} order by id
      ) a, lateral (
        select id from transaction_intents
        where id = a.id and status = 'submitted' and transaction_signature is null for update
      ) i
    ), signed as (
      update transaction_intents i set transaction_signature = open.signature from open
      where ${rowById(db, db`i.id`, db`open.id`)}
    )
    insert into intent_sends as s
      (intent_id, target, first_sent_at, last_sent_at, first_slot, send_count, taken_count, answer, reason)
    select intent_id, target, sent_at, sent_at, slot, sent, taken, answer, reason
    from unnest(
      ${rows.map(({ intentId }) => intentId)}::uuid[], ${rows.map(({ target }) => target)}::text[],
      ${rows.map(({ sentAt }) => sentAt)}::timestamptz[], ${rows.map(({ slot }) => slot)}::int8[],
      ${rows.map(({ sent }) => sent)}::int[], ${rows.map(({ taken }) => taken)}::int[],
      ${rows.map(({ answer }) => answer)}::text[], ${rows.map(({ reason }) => reason)}::text[]
    ) as r (intent_id, target, sent_at, slot, sent, taken, answer, reason)
    where ${asynchronousCommit(db)}
    order by intent_id, target
    on conflict (intent_id, target) do update set
      first_sent_at = least(s.first_sent_at, excluded.first_sent_at),
      first_slot = case when excluded.first_sent_at < s.first_sent_at or s.send_count = 0
        then excluded.first_slot else s.first_slot end,
      last_sent_at = greatest(s.last_sent_at, excluded.last_sent_at),
      send_count = s.send_count + excluded.send_count,
      taken_count = s.taken_count + excluded.taken_count,
      answer = case when s.last_sent_at > excluded.last_sent_at then s.answer else coalesce(excluded.answer, s.answer) end,
      reason = case when s.last_sent_at > excluded.last_sent_at or excluded.answer is null then s.reason else excluded.reason end`;
}

interface SendRow {
  intentId: string;
  target: string;
  sentAt: string | null;
  slot: string | null;
  sent: string;
  taken: string;
  answer: SendResult | null;
  reason: FailureReason | null;
}

function rowsOf({ intentId, sentAt, slot, answers, heldOut }: IntentSend): SendRow[] {
  const at = sentAt.toISOString();
  const rows: SendRow[] = answers.map(({ target, result, reason }) => ({
    intentId,
    target,
    sentAt: at,
    slot: slot === null ? null : slot.toString(),
    sent: '1',
    taken: isTaken(result) ? '1' : '0',
    answer: result,
    reason,
  }));
  // A row that counts no send shows that the address was held out.
  const held = { sentAt: null, slot: null, sent: '0', taken: '0', answer: null, reason: null };
  return heldOut === null ? rows : [...rows, { intentId, target: heldOut, ...held }];
}
