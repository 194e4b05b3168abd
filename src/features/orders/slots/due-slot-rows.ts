import type { Database, Queryable } from '../../../db/client.ts';
import type { OrderSlotStatus } from './state.ts';

/** A slot whose account has to be looked at, with what became of its intents. */
export interface DueSlot {
  id: string;
  status: 'pending' | 'ready';
  nonceAddress: string;
  walletAddress: string;
  intentStatus: string | null;
  errorCode: string | null;
  lastValidBlockHeight: bigint | null;
  closingStatus: string | null;
}

/** What a look at the chain has shown. */
export interface SlotChange {
  /** Null while the state stays. */
  status: OrderSlotStatus | null;
  newest: { slot: bigint; nonce: string } | null;
  dueAt: Date;
  now: Date;
}

/** SQL: a slot is due at `now`. A pending one is looked at when its intent has ended. */
export function isSlotDue(db: Database, now: Date): ReturnType<Database> {
  return db`exists (
    select from order_slots s left join transaction_intents i on i.id = s.intent_id
    where s.status in ('pending', 'ready') and s.due_at <= ${now}::timestamptz and ${isJudgeable(db)})`;
}

function isJudgeable(db: Queryable) {
  return db`(s.status = 'ready' or i.status in ('confirmed', 'failed', 'expired'))`;
}

/** Claims slots that are due until `until`: no other worker gets them before. */
export async function claimDueSlots(
  db: Queryable,
  now: Date,
  until: Date,
  limit: number,
): Promise<readonly DueSlot[]> {
  return await db<DueSlot[]>`
    with due as materialized (
      select s.id, i.status as intent_status, i.error_code, i.last_valid_block_height
      from order_slots s left join transaction_intents i on i.id = s.intent_id
      where s.status in ('pending', 'ready') and s.due_at <= ${now}::timestamptz and ${isJudgeable(db)}
      order by s.due_at limit ${limit} for update of s skip locked
    )
    update order_slots s set due_at = ${until}::timestamptz from due where s.id = due.id
    returning s.id, s.status, s.nonce_address, s.wallet_address, due.intent_status, due.error_code,
      due.last_valid_block_height,
      (select c.status from transaction_intents c where c.id = s.closing_intent_id) as closing_status`;
}

/** Stores what was seen, unless the slot has another state by now. An older reading replaces no newer one. */
export async function updateSlot(
  db: Queryable,
  { id, status: before }: DueSlot,
  { status, newest, dueAt, now }: SlotChange,
): Promise<void> {
  const next = status ?? before;
  const completedAt = next === 'pending' || next === 'ready' ? null : now;
  await db`
    update order_slots set status = ${next}, completed_at = ${completedAt}::timestamptz, due_at = ${dueAt}::timestamptz,
      nonce = case when ${newest?.slot ?? -1n}::int8 > coalesce(read_slot, -1) then ${newest?.nonce ?? null}::text else nonce end,
      read_slot = nullif(greatest(${newest?.slot ?? -1n}::int8, coalesce(read_slot, -1)), -1)
    where id = ${id}::uuid and status = ${before}`;
}
