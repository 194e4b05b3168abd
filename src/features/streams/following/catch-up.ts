import type { Database } from '../../../db/client.ts';
import type { Gate } from '../../../shared/gate.ts';
import type { LogPosition } from '../cursor.ts';
import { readPast } from '../log/read-log.ts';
import { type ComposedEntry, composeMessages } from '../messages/compose.ts';
import { ChannelSet } from '../messages/interest.ts';
import type { StreamMessage } from '../messages/stream-message.ts';
import type { RecordSources } from '../record-sources.ts';
import { channelsOfJoin, filterOf, gapMessage, type Join } from './join.ts';

/** Entries of one page. Its messages are sent before the next page is read. */
const PAGE = 500;

export interface CatchUpDependencies {
  db: Database;
  sources: RecordSources;
  /** Passed to read and compose a page, never while the client is reading. */
  gate: Gate;
  /** How far the log is followed. */
  head(): bigint;
  /** Entries after a position that are in memory; null when some of them are not. */
  held(place: bigint): ComposedEntry[] | null;
}

/** One page of missed messages. */
interface Piece {
  messages: StreamMessage[];
  /** Position after which the next page begins. */
  through: bigint;
}

/**
 * Sends a stream the messages that it missed, page by page and as fast as its connection takes them. Returns
 * the join that continues from there: a new one, after a `gap`, when the log was trimmed meanwhile.
 */
export async function catchUp(
  join: Join,
  { epoch, id }: LogPosition,
  dependencies: CatchUpDependencies,
): Promise<Join> {
  const { reader } = join;
  const { gate, head } = dependencies;
  let place = id;
  let limit = PAGE;
  while (!reader.isEnded && place < head()) {
    const piece = await gate.run(reader.client, () =>
      readPiece(join, { epoch, id: place }, limit, dependencies),
    );
    if (reader.isEnded) break;
    if ('deletedAt' in piece) {
      reader.offer(gapMessage(join.topics, 'expired', piece.deletedAt));
      return { ...join, after: null };
    }
    const size = piece.messages.reduce((sum, message) => sum + message.size, 0);
    if (size > reader.bufferBytes && limit > 1) {
      // More bytes than may wait for one client: read again with half the entries.
      limit = Math.floor(limit / 2);
      continue;
    }
    await send(join, piece);
    place = piece.through;
    if (size < reader.bufferBytes / 4) limit = Math.min(PAGE, limit * 2);
  }
  return { ...join, after: { epoch, id: place } };
}

async function readPiece(
  join: Join,
  { epoch, id: place }: LogPosition,
  limit: number,
  { db, sources, head, held }: CatchUpDependencies,
): Promise<Piece | { deletedAt: Date | null }> {
  const through = head();
  if (join.reader.isEnded) return { messages: [], through };
  const inMemory = held(place)?.slice(0, limit);
  const past =
    inMemory === undefined ? await readPast(db, { after: place, through, limit }, filterOf(join)) : null;
  if (past?.whole === false) return { deletedAt: past.deletedAt };
  const entries = inMemory ?? past?.entries ?? [];
  const interest = new ChannelSet(channelsOfJoin(join));
  const messages = await composeMessages(entries, { sources, epoch, interest });
  return {
    messages: messages.filter((message) => interest.takes(message)),
    through: entries.length < limit ? through : (entries.at(-1)?.id ?? through),
  };
}

/** Resolves when the connection has taken the page, or the stream has ended. */
async function send({ reader }: Join, { messages, through }: Piece): Promise<void> {
  for (const message of messages) {
    reader.offer(message);
    // A message that was handed over is never sent again, wherever the page is cut off.
    if (message.place > 0n) reader.place = message.place;
    if (reader.isFull) await reader.emptied();
    if (reader.isEnded) return;
  }
  reader.place = through;
  reader.flush();
  await reader.emptied();
}
