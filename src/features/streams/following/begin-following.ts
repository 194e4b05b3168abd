import type { Database } from '../../../db/client.ts';
import type { Clock } from '../../../shared/clock.ts';
import { readLog } from '../log/read-log.ts';
import { LogWindow } from '../log/window.ts';
import type { Place } from './place.ts';

/** Entries that are loaded when following begins, for clients that come back. */
const WARM_ENTRIES = 5_000n;

/**
 * Returns the position from which a process follows the log: its present end. The entries just before it are
 * loaded, and sent to nobody.
 * @param pageLimit entries of one read
 */
export async function beginFollowing(db: Database, pageLimit: number, clock: Clock): Promise<Place> {
  const present = await readLog(db, null, 0);
  let id = largest(present.completeThrough - WARM_ENTRIES, present.deletedThrough);
  let entryId: bigint | null = null;
  let window = new LogWindow(id);
  for (;;) {
    const page = await readLog(db, id, pageLimit);
    // Some entries were deleted before they could be loaded: the window begins after them.
    if (page.deletedThrough > id) window = new LogWindow(page.deletedThrough);
    window.add(page.entries);
    entryId = page.entries.at(-1)?.id ?? entryId;
    const isMore = page.entries.length === pageLimit;
    id = largest(id, isMore ? (page.entries.at(-1)?.id ?? id) : page.completeThrough);
    if (isMore) continue;
    const { epoch, provenThrough, timelineStart } = page;
    return { epoch, id, entryId: entryId ?? id, timelineStart, window, provenThrough, readAt: clock.now() };
  }
}

function largest(...ids: readonly bigint[]): bigint {
  let found = 0n;
  for (const id of ids) if (id > found) found = id;
  return found;
}
