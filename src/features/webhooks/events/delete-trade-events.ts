import type { Queryable } from '../../../db/client.ts';
import { unpublishedLimits } from '../../../shared/contract-limits.ts';
import { firstUuidOf } from '../../../shared/first-uuid.ts';

const KEPT_MS = unpublishedLimits.followedEventDays * 24 * 60 * 60 * 1000;
/** The function of the database refuses what is younger by its own clock. */
const CLOCK_STEP_MS = 60_000;

/**
 * Deletes events of followed trades that are no longer listed, with their deliveries; those that a delivery
 * still needs stay. Returns how many events were looked at.
 * @param limit events of each of the two types
 */
export async function deleteOldTradeEvents(db: Queryable, now: Date, limit: number): Promise<number> {
  const before = firstUuidOf(now.getTime() - KEPT_MS - CLOCK_STEP_MS);
  const [row] = await db<{ deleted: number }[]>`
    select delete_trade_events(${before}::uuid, ${limit}::int4) as deleted`;
  return row?.deleted ?? 0;
}
