import type { Database } from '../../db/client.ts';
import { rowById } from '../../db/row-look-up.ts';
import { type ComposedEvent, insertEvents } from '../../outbox/event-rows.ts';
import type { Landing } from './landing.ts';

/** What is now known of a landing. */
export interface ChangedLanding {
  intentId: string;
  /** The intent's version as it was read. */
  version: number;
  landing: Landing;
  /** When nodes will show the block as final, if that is known. */
  finalAt: Date | null;
  /** Null when only facts or the slot have changed. */
  event: ComposedEvent | null;
}

/** Until the next look where nodes do not report when the block will be final. */
const LOOK_AGAIN_SECONDS = 5;

/**
 * Stores changes of landings in one statement: facts, finality, the intent's next version, and the event.
 * Skips an intent that has changed since it was read, so that each change happens once, whoever else has
 * claimed it. Returns the ids of those that were stored.
 */
export async function storeLandings(
  db: Database,
  changes: readonly ChangedLanding[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const events = changes.flatMap(({ event }) => event ?? []);
  const stored = await db<{ intentId: string }[]>`
    with given as materialized (
      select * from jsonb_to_recordset(${db.json(changes.map(rowOf))}) as e (
        intent_id uuid, version int, slot int8, finality text, succeeded bool, block_time timestamptz,
        index_in_block int, fee_lamports int8, compute_units int8, tip_lamports int8, changes jsonb,
        input_raw numeric, output_raw numeric, price_in_sol numeric, quote_difference_bps int, final_at timestamptz)
      order by intent_id
    ), open as materialized (
      select g.* from given g, lateral (
        select from transaction_intents where id = g.intent_id and version = g.version for update
      ) i
    ), numbered as (
      update transaction_intents i set version = i.version + 1 from open o
      where ${rowById(db, db`i.id`, db`o.intent_id`)}
    ), landed as (
      update intent_landings l set slot = o.slot, finality = o.finality,
        settled_at = case when o.finality = 'confirmed' then null when o.finality = l.finality then l.settled_at
          else ${now}::timestamptz end,
        facts_at = case when o.fee_lamports is null then null else ${now}::timestamptz end,
        succeeded = o.succeeded, block_time = o.block_time, index_in_block = o.index_in_block,
        fee_lamports = o.fee_lamports, compute_units = o.compute_units, tip_lamports = o.tip_lamports,
        changes = o.changes, input_raw = o.input_raw, output_raw = o.output_raw, price_in_sol = o.price_in_sol,
        quote_difference_bps = o.quote_difference_bps,
        due_at = case when o.fee_lamports is null then l.due_at when o.finality = 'finalized' then null
          else greatest(l.due_at, coalesce(o.final_at, ${now}::timestamptz + ${LOOK_AGAIN_SECONDS} * interval '1 second')) end
      from open o where ${rowById(db, db`l.intent_id`, db`o.intent_id`)}
    ), recorded as (${insertEvents(db, events, db`where e.subject in (select intent_id::text from open)`)})
    select intent_id from open`;
  return new Set(stored.map(({ intentId }) => intentId));
}

/** 64-bit integers as texts, which JSON keeps exact. */
function rowOf({ intentId, version, landing, finalAt }: ChangedLanding) {
  const { slot, finality, facts } = landing;
  return {
    intent_id: intentId,
    version,
    slot: String(slot),
    finality,
    succeeded: facts?.succeeded ?? null,
    block_time: facts?.blockTime?.toISOString() ?? null,
    index_in_block: facts?.indexInBlock ?? null,
    fee_lamports: facts?.feeLamports.toString() ?? null,
    compute_units: facts?.computeUnits?.toString() ?? null,
    tip_lamports: facts?.paidTipLamports?.toString() ?? null,
    changes: facts === null ? null : { ...facts.changes },
    input_raw: facts?.inputRaw ?? null,
    output_raw: facts?.outputRaw ?? null,
    price_in_sol: facts?.priceInSol ?? null,
    quote_difference_bps: facts?.quoteDifferenceBps ?? null,
    final_at: finalAt?.toISOString() ?? null,
  };
}
