import type { Database } from '../../../db/client.ts';
import type { Clock } from '../../../shared/clock.ts';
import { readLog } from '../log/read-log.ts';
import { LogWindow } from '../log/window.ts';
import type { Place } from './place.ts';

/** How much of the log is loaded when following begins, for those who come back. */
const WARM_ENTRIES = 5_000n;

/**
 * The place from which a process follows the log: its present end. What lies shortly before it is loaded, and sent to
 * nobody.
 *
 * @param pageLimit entries of one look
 */
export async function beginFollowing(db: Database, pageLimit: number, clock: Clock): Promise<Place> {
  const present = await readLog(db, null, 0);
  let id = largest(present.completeThrough - WARM_ENTRIES, present.deletedThrough);
  let window = new LogWindow(id);
  for (;;) {
    const page = await readLog(db, id, pageLimit);
    // Entries were deleted that were to be loaded: what is whole begins after them.
    if (page.deletedThrough > id) window = new LogWindow(page.deletedThrough);
    window.add(page.entries);
    const isMore = page.entries.length === pageLimit;
    id = largest(id, isMore ? (page.entries.at(-1)?.id ?? id) : page.completeThrough);
    if (isMore) continue;
    const { epoch, provenThrough } = page;
    return { epoch, id, window, provenThrough, readAt: clock.now() };
  }
}

function largest(...ids: readonly bigint[]): bigint {
  let found = 0n;
  for (const id of ids) if (id > found) found = id;
  return found;
}
