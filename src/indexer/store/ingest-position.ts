import type { Queryable } from '../../db/client.ts';

/** The position in the ingest stream that the database records (decisions/0048). */
export interface IngestPosition {
  /** Names the history of this database. A promotion, a restore and `readIngestAnew` begin another one. */
  epoch: string;
  generation: string;
  /** The creation time of the stream in which `through` counts. Null before the first position. */
  stream: string | null;
  /** Every message up to this sequence number is applied here. */
  through: bigint;
  recordedAt: Date | null;
}

export async function readIngestPosition(db: Queryable): Promise<IngestPosition> {
  const [row] = await db<IngestPosition[]>`
    select ingest_epoch() as epoch, generation, stream, through, recorded_at from ingest_position`;
  if (row === undefined) throw new Error('the database has no ingest position');
  return row;
}

/** The owner of a position: the epoch, the generation in its name, and the creation time of the stream. */
export type PositionOwner = Pick<IngestPosition, 'epoch' | 'generation'> & { stream: string };

/**
 * Moves the position forward, never back. Returns the time of the record. Returns null and changes nothing
 * when the database has another epoch, or a position older than `since`, which the caller has seen: it is an
 * earlier state of itself.
 */
export async function recordIngestPosition(
  db: Queryable,
  { epoch, generation, stream }: PositionOwner,
  { through, since }: { through: bigint; since: Date | null },
): Promise<Date | null> {
  // The generation is compared separately: a statement that waits for the row sees the new row, but not a
  // function's new result.
  const [row] = await db<{ recordedAt: Date }[]>`
    update ingest_position set stream = ${stream}, recorded_at = greatest(recorded_at, clock_timestamp()),
      through = case when stream = ${stream} then greatest(through, ${through}) else ${through} end
    where generation = ${generation} and ingest_epoch() = ${epoch}
      and (${since}::timestamptz is null or recorded_at >= ${since}::timestamptz)
    returning recorded_at`;
  return row?.recordedAt ?? null;
}

/** Begins another epoch at the same position, unless another process has just begun one. */
export async function renewIngestEpoch(db: Queryable, known: string): Promise<void> {
  await db`
    update ingest_position set generation = gen_random_uuid()::text where generation = ${known}`;
}

/** Lets the workers read the whole stream again. */
export async function readIngestAnew(db: Queryable): Promise<void> {
  // No stream was created at this time, so the sequences begin at the first.
  await db`
    update ingest_position set generation = gen_random_uuid()::text, stream = 'none', through = 0, recorded_at = clock_timestamp()`;
}
