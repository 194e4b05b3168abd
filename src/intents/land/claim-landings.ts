import type { Database } from '../../db/client.ts';
import { rowById } from '../../db/row-look-up.ts';
import { type IntentEventRow, intentEventColumns } from '../row.ts';
import { type LandingRow, landingColumns } from './landing.ts';

/** A node that has no block by then has it later, or has another one. */
export const FACTS_AWAITED_SECONDS = 10;
/** Nodes keep the history of at least the last two days. */
const FOLLOWED_SECONDS = 2 * 86_400;

/** An intent whose transaction has landed, as it was claimed. */
export type FollowedIntent = IntentEventRow &
  LandingRow & {
    slot: bigint;
    finality: NonNullable<LandingRow['finality']>;
    signedTransaction: Uint8Array;
    landedAt: Date;
  };

/** SQL: there is a landing for `claimLandings`. */
export function isLandingDue(db: Database, now: Date): ReturnType<Database> {
  return db`exists (select from intent_landings where due_at <= ${now})`;
}

/**
 * Takes landings that are due, the longest due first. Each is due again after a tenth of its age: that is when
 * another worker takes it over from one that died, and when it is looked at again if nothing has changed.
 */
export async function claimLandings(db: Database, now: Date, limit: number): Promise<FollowedIntent[]> {
  return db<FollowedIntent[]>`
    with due as materialized (
      select intent_id from intent_landings where due_at <= ${now}
      order by due_at limit ${limit} for update skip locked
    ), claimed as (
      update intent_landings l set check_count = l.check_count + 1, due_at = case
        when l.landed_at > ${now}::timestamptz - ${FOLLOWED_SECONDS} * interval '1 second'
        then ${now}::timestamptz + ${nextLook(db, now)} end
      from due where ${rowById(db, db`l.intent_id`, db`due.intent_id`)}
      returning l.intent_id
    )
    select ${intentEventColumns(db)}, ${landingColumns(db)}, l.landed_at, i.signed_transaction
    from claimed c, transaction_intents i, intent_landings l
    where ${rowById(db, db`i.id`, db`c.intent_id`)} and ${rowById(db, db`l.intent_id`, db`c.intent_id`)}`;
}

/** SQL, an interval: a second while the facts are awaited, then 2 s to 10 minutes, a tenth of the age. */
function nextLook(db: Database, now: Date) {
  return db`case
    when l.facts_at is null and l.landed_at > ${now}::timestamptz - ${FACTS_AWAITED_SECONDS} * interval '1 second'
    then interval '1 second'
    else least(interval '10 minutes', greatest(interval '2 seconds', (${now}::timestamptz - l.landed_at) / 10)) end`;
}
