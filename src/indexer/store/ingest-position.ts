import type { Queryable } from '../../db/client.ts';

/** What the database says of the ingest stream (decisions/0048). */
export interface IngestPosition {
  /** Names the history of this database: another one after a promotion, a restore, or `readIngestAnew`. */
  epoch: string;
  generation: string;
  /** When the stream was made whose sequences `through` counts; null before the first position. */
  stream: string | null;
  /** Everything up to this message is applied here. */
  through: bigint;
  recordedAt: Date | null;
}

export async function readIngestPosition(db: Queryable): Promise<IngestPosition> {
  const [row] = await db<IngestPosition[]>`
    select ingest_epoch() as epoch, generation, stream, through, recorded_at from ingest_position`;
  if (row === undefined) throw new Error('the database has no ingest position');
  return row;
}

/** Whose position it is: the epoch, with the generation that its name is made of, and when the stream was made. */
export type PositionOwner = Pick<IngestPosition, 'epoch' | 'generation'> & { stream: string };

/**
 * Moves the position on, never back. Returns when that was recorded; null, with nothing changed, when the database has another epoch, or
 * a position older than `since`, which the caller has seen: it is an earlier state of itself.
 */
export async function recordIngestPosition(
  db: Queryable,
  { epoch, generation, stream }: PositionOwner,
  { through, since }: { through: bigint; since: Date | null },
): Promise<Date | null> {
  // The generation by itself too: a statement that waits for the row sees the new row and not what a function reads.
  const [row] = await db<{ recordedAt: Date }[]>`
    update ingest_position set stream = ${stream}, recorded_at = greatest(recorded_at, clock_timestamp()),
      through = case when stream = ${stream} then greatest(through, ${through}) else ${through} end
    where generation = ${generation} and ingest_epoch() = ${epoch}
      and (${since}::timestamptz is null or recorded_at >= ${since}::timestamptz)
    returning recorded_at`;
  return row?.recordedAt ?? null;
}

/** Begins another epoch at the same position, unless another process just has. */
export async function renewIngestEpoch(db: Queryable, known: string): Promise<void> {
  await db`
    update ingest_position set generation = gen_random_uuid()::text where generation = ${known}`;
}

/** Lets the workers read the whole stream again. */
export async function readIngestAnew(db: Queryable): Promise<void> {
  // No stream was made at a time of this name, so its sequences begin at the first.
  await db`
    update ingest_position set generation = gen_random_uuid()::text, stream = 'none', through = 0, recorded_at = clock_timestamp()`;
}
