import type { Queryable } from '../../../db/client.ts';
import { streamLogKinds } from '../../../db/values/stream-log.ts';
import type { TradeType } from '../../../db/values/trades.ts';

/** A change as a row of the log. The table says which columns each kind has. */
export interface LogEntry {
  id: bigint;
  kind: (typeof streamLogKinds)[number];
  mintAddress: string | null;
  accountId: string | null;
  ref: string | null;
  slot: bigint | null;
  through: Date | null;
  since: Date | null;
  /** Set for a trade or reversal; null also in rows that are older than these columns. */
  traderWallet: string | null;
  side: TradeType | null;
  solAmount: string | null;
  at: Date;
}

/** One page of the log. */
export interface LogPage {
  /**
   * Every change up to this id is visible, and none will be added below it. A later page may have a smaller
   * value, because a transaction announces an id that was given out a moment before; the promise still holds.
   */
  completeThrough: bigint;
  /** The last id that was given out, complete or not. */
  givenOut: bigint;
  /** Epoch of the database: ids of another epoch mean nothing here. */
  epoch: string;
  /** Ids up to here may have been deleted. */
  deletedThrough: bigint;
  deletedAt: Date | null;
  /** The latest time through which the source of any token is proven; null before the first proof. */
  provenThrough: Date | null;
  /**
   * Ids below were given out by a primary that this server has replaced, and the last of them may be lost
   * here (decisions/0067).
   */
  timelineStart: bigint;
  /** Entries after the position and up to `completeThrough`, in order. */
  entries: LogEntry[];
}

/** Ids of one timeline have the same bits from this one on (drizzle/functions/begin_log_timeline.sql). */
const TIMELINE_BITS = 40;

type PageRow = Omit<LogPage, 'entries'> & (LogEntry | { id: null });

/** The complete part of the log after a position, oldest first, at most `limit` entries; none for a null position. */
export async function readLog(db: Queryable, after: bigint | null, limit: number): Promise<LogPage> {
  const rows = await db<PageRow[]>`
    select complete_through, given_out, epoch, deleted_through, deleted_at, proven_through, timeline_start,
      id, kind, mint_address, account_id, ref, slot, through, since, trader_wallet, side, sol_amount, at
    from read_stream_page(${after}, ${limit}::int4, ${[...streamLogKinds]}::text[])`;
  const [first] = rows;
  if (first === undefined) throw new Error('the log returned no row');
  const entries = rows.filter((row): row is Omit<LogPage, 'entries'> & LogEntry => row.id !== null);
  const { completeThrough, givenOut, epoch, deletedThrough, deletedAt, provenThrough, timelineStart } = first;
  return {
    completeThrough,
    givenOut,
    epoch,
    deletedThrough,
    deletedAt,
    provenThrough,
    timelineStart,
    entries,
  };
}

/**
 * Finds the positions on an earlier timeline up to which this server has the log: an entry at the position or
 * later on its timeline is there, or was deleted for its age. Who has read further has seen entries that are lost.
 */
export async function findKeptPositions(db: Queryable, positions: readonly bigint[]): Promise<Set<bigint>> {
  const asked = [...new Set(positions)].map(String);
  const rows = await db<{ position: bigint }[]>`
    select asked.position from unnest(${asked}::int8[]) as asked (position) cross join stream_progress
    where asked.position <= deleted_through or exists (
      select from stream_log where id >= asked.position and id < ((asked.position >> ${TIMELINE_BITS}::int4) + 1) << ${TIMELINE_BITS}::int4)`;
  return new Set(rows.map(({ position }) => position));
}

export interface LogFilter {
  /** Entries of these tokens. */
  mints: readonly string[];
  /** Entries of any token, of these kinds. */
  kinds: readonly LogEntry['kind'][];
  /** Trades and reversals of these wallets. */
  wallets: readonly string[];
  /** Entries of this account; null for none. */
  accountId: string | null;
}

export interface PastEntries {
  entries: LogEntry[];
  /** False when some of the requested entries were deleted. */
  whole: boolean;
  /** When the last deleted entry was written. */
  deletedAt: Date | null;
}

/** Entries of a complete part of the log that concern a stream, oldest first. */
export async function readPast(
  db: Queryable,
  { after, through, limit }: { after: bigint; through: bigint; limit: number },
  { mints, kinds, wallets, accountId }: LogFilter,
): Promise<PastEntries> {
  // One statement, so that the deleted and the existing entries are of one moment.
  const rows = await db<({ deletedThrough: bigint; deletedAt: Date | null } & (LogEntry | { id: null }))[]>`
    select p.deleted_through, p.deleted_at, l.id, l.kind, l.mint_address, l.account_id, l.ref, l.slot, l.through, l.since,
      l.trader_wallet, l.side, l.sol_amount, l.at
    from stream_progress p left join lateral (
      select * from stream_log
      where id > ${after} and id <= ${through}
        and (mint_address = any(${mints as string[]}) or kind = any(${kinds as string[]}) and account_id is null
          or trader_wallet = any(${wallets as string[]}) or account_id = ${accountId})
      order by id limit ${limit}) l on true
    order by l.id`;
  const [first] = rows;
  if (first === undefined) throw new Error('the log has no progress');
  return {
    entries: rows.filter((row): row is typeof first & LogEntry => row.id !== null),
    whole: first.deletedThrough <= after,
    deletedAt: first.deletedAt,
  };
}
