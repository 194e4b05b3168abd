import type { Database } from '../../../db/client.ts';
import { firstUuidOf } from '../../../shared/first-uuid.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Deletes one batch of a pass; false at the end of the pass. */
export type DeliverySweep = (db: Database, now: Date, keepDays: number, limit: number) => Promise<boolean>;

/**
 * Deletes deliveries of events older than `keepDays`, oldest event first, when they are finished and have not
 * changed for the same time. Open and recently replayed deliveries keep their event and are checked in the
 * next pass.
 */
export function createDeliverySweep(): DeliverySweep {
  let after = firstUuidOf(0);
  return async (db, now, keepDays, limit) => {
    const { deleted, lastEventId } = await deleteFinished(db, { after, now, keepDays, limit });
    after = deleted < limit || lastEventId === null ? firstUuidOf(0) : lastEventId;
    return deleted === limit;
  };
}

/** Deliveries must be old by both clocks: of this process and of the database. */
async function deleteFinished(
  db: Database,
  { after, now, keepDays, limit }: { after: string; now: Date; keepDays: number; limit: number },
): Promise<{ deleted: number; lastEventId: string | null }> {
  const before = firstUuidOf(now.getTime() - keepDays * DAY_MS);
  const rows = await db<{ eventId: string }[]>`
    delete from webhook_deliveries where id in (
      select id from webhook_deliveries
      where event_id >= ${after} and event_id < ${before} and status in ('succeeded', 'dead_letter')
        and updated_at < least(${now}::timestamptz, now()) - ${keepDays}::int4 * interval '1 day'
      -- A replay that comes first keeps its delivery.
      order by event_id limit ${limit} for update skip locked)
    returning event_id`;
  const lastEventId = rows.reduce<string | null>(
    (last, { eventId }) => (last === null || eventId > last ? eventId : last),
    null,
  );
  return { deleted: rows.length, lastEventId };
}
