import type { Database } from '../../../db/client.ts';
import type { Channel } from '../channels.ts';
import type { LogPosition } from '../cursor.ts';
import { readPast } from '../log/read-log.ts';
import { composeMessages, type ToldEntry } from '../messages/compose.ts';
import type { RecordSources } from '../record-sources.ts';
import { channelsOfJoin, filterOf, gapMessage, type Join } from './join.ts';

/** Entries of one look; what they come to is sent before the next. */
const PAGE = 500;

export interface CatchUpDependencies {
  db: Database;
  sources: RecordSources;
  /** How far the log is followed. */
  head(): bigint;
  /** Entries after a place that are in memory; null when some of them are not. */
  held(place: bigint): ToldEntry[] | null;
}

/**
 * Sends a stream what it has missed, page by page and as fast as its connection takes it. Returns the join that goes on from
 * there: a fresh one, after a `gap`, when the log was trimmed meanwhile.
 */
export async function catchUp(
  join: Join,
  { epoch, id }: LogPosition,
  { db, sources, head, held }: CatchUpDependencies,
): Promise<Join> {
  const { reader } = join;
  const channels = channelsOfJoin(join);
  const wants = (channel: Channel) => channels.has(channel);
  const filter = filterOf(join);
  let place = id;
  while (!reader.isEnded && place < head()) {
    const through = head();
    const inMemory = held(place)?.slice(0, PAGE);
    const past =
      inMemory === undefined ? await readPast(db, { after: place, through, limit: PAGE }, filter) : null;
    if (past?.whole === false) {
      reader.offer(gapMessage(join.topics, 'expired', past.deletedAt));
      return { ...join, after: null };
    }
    const entries = inMemory ?? past?.entries ?? [];
    const messages = await composeMessages(entries, { sources, epoch, wants });
    for (const message of messages) {
      if (!message.channels.some(wants)) continue;
      reader.offer(message);
      if (reader.isFull) await reader.emptied();
    }
    reader.flush();
    await reader.emptied();
    place = entries.length < PAGE ? through : (entries.at(-1)?.id ?? through);
    reader.place = place;
  }
  return { ...join, after: { epoch, id: place } };
}
