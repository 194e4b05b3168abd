import type { Database, Transaction } from '../../db/client.ts';
import type { Clock } from '../../shared/clock.ts';
import { findDecayed, rankTokens } from './ranking-rows.ts';
import { chooseProminent, storeNames } from './store-names.ts';

/** Entries of the log that one step follows: half a second at 10,000 trades a second. */
const ENTRIES_PER_STEP = 10_000;
/** Tokens that one statement computes: about 50 ms. */
const TOKENS_PER_STATEMENT = 500;
/** Tokens of a step whose windows moved, and those of one that computes all anew. */
const TOKENS_PER_STEP = 2_000;
const PROMINENT_EVERY_MS = 60_000;
/** Changes of a token that change its row. The others are of accounts, holders or proofs. */
const RANKING_KINDS = ['trade', 'trade_reverted', 'token', 'market'];

export interface RankingContext {
  db: Database;
  clock: Clock;
  /** Reports a step after its commit. */
  onRanked(step: RankingStep): void;
}

export interface RankingStep {
  /** Tokens whose row changed. */
  changed: number;
  /** How long ago the oldest change was committed that the step followed; null when it followed none. */
  lagMs: number | null;
  /** Among the tokens whose record changed is a hidden one. */
  hasHidden: boolean;
}

interface Progress {
  logPosition: bigint | null;
  sweptThrough: bigint | null;
  prominentAt: Date | null;
}

/** SQL: true when `followRankings` has something to do at `now`. Each condition reads one end of an index. */
export function isRankingDue(db: Database, now: Date): ReturnType<Database> {
  return db`exists (select from ranking_progress p cross join stream_progress s
    where p.log_position is null or p.swept_through is not null
      or p.prominent_at is null or p.prominent_at <= ${new Date(now.getTime() - PROMINENT_EVERY_MS)}
      or (select max(id) from stream_log) > p.log_position
      or (select min(due_at) from token_rankings) <= coalesce(s.proven_through, ${now}))`;
}

/**
 * Brings `token_rankings` and `token_names` one step nearer to the present: follows the log of changes, then tokens
 * whose windows have moved, then all tokens where the log no longer has every change. One transaction holds the one
 * row of progress, so of several workers one does it, and a killed one leaves nothing half done. Every value is read
 * after the end of the log was, so no change is missed. Returns true when there may be more.
 */
export async function followRankings({ db, clock, onRanked }: RankingContext): Promise<boolean> {
  const outcome = await db.begin(async (transaction) => {
    const [progress] = await transaction<Progress[]>`
      select log_position, swept_through, prominent_at from ranking_progress for no key update skip locked`;
    return progress === undefined ? null : step(transaction, progress, clock.now());
  });
  if (outcome === null) return false;
  onRanked(outcome);
  return outcome.isBusy;
}

async function step(transaction: Transaction, progress: Progress, now: Date) {
  const log = await readChanges(transaction, progress.logPosition);
  // Without the first entry, or after a gap, every token is computed anew.
  const isWhole = progress.logPosition !== null && log.deletedThrough <= progress.logPosition;
  const sweepAfter = isWhole ? progress.sweptThrough : 0n;
  const asOf = log.provenThrough ?? now;
  await storeNames(transaction, log.recordMints, true);
  let changed = await rankInTurn(transaction, log.mints, asOf);
  const decayed = await findDecayed(transaction, asOf, TOKENS_PER_STEP);
  changed += await rankInTurn(transaction, decayed, asOf);
  const swept = sweepAfter === null ? null : await sweep(transaction, sweepAfter, asOf);
  changed += swept?.changed ?? 0;
  const isChoiceDue =
    progress.prominentAt === null || progress.prominentAt.getTime() <= now.getTime() - PROMINENT_EVERY_MS;
  if (isChoiceDue) await chooseProminent(transaction);
  await transaction`
    update ranking_progress set log_position = ${String(log.through)}::int8,
      swept_through = ${swept?.through?.toString() ?? null}::int8,
      prominent_at = ${isChoiceDue ? now : progress.prominentAt}`;
  const isBusy = log.isFull || decayed.length === TOKENS_PER_STEP || (swept?.through ?? null) !== null;
  const lagMs = log.oldestAt === null ? null : now.getTime() - log.oldestAt.getTime();
  return { changed, lagMs, isBusy, hasHidden: await someHidden(transaction, log.recordMints) };
}

async function someHidden(transaction: Transaction, mints: readonly string[]): Promise<boolean> {
  if (mints.length === 0) return false;
  const [row] = await transaction<{ isHidden: boolean }[]>`
    select exists (select from tokens where mint_address = any(${mints as string[]}::text[]) and hidden) as is_hidden`;
  return row?.isHidden === true;
}

interface LogChanges {
  /** Every change up to here is among the changed tokens. */
  through: bigint;
  deletedThrough: bigint;
  provenThrough: Date | null;
  isFull: boolean;
  /** When the first of the changes was made. */
  oldestAt: Date | null;
  mints: string[];
  /** Tokens whose record changed. */
  recordMints: string[];
}

/** The tokens that changed after a position of the log, each once. */
async function readChanges(transaction: Transaction, after: bigint | null): Promise<LogChanges> {
  const [row] = await transaction<
    (Omit<LogChanges, 'through' | 'isFull'> & {
      completeThrough: bigint;
      lastId: bigint | null;
      entries: number;
    })[]
  >`
    select complete_through, deleted_through, proven_through, max(id) as last_id, count(id)::int4 as entries,
      min(at) as oldest_at,
      coalesce(array_agg(distinct mint_address) filter (where id is not null), '{}') as mints,
      coalesce(array_agg(distinct mint_address) filter (where kind = 'token'), '{}') as record_mints
    from read_stream_page(${after === null ? null : String(after)}::int8, ${ENTRIES_PER_STEP}::int4, ${RANKING_KINDS})
    group by complete_through, deleted_through, proven_through`;
  if (row === undefined) throw new Error('the log returned no row');
  const { completeThrough, lastId, entries, ...rest } = row;
  const isFull = entries === ENTRIES_PER_STEP && lastId !== null;
  // The end of the complete part may lie before an earlier one for a moment.
  const end = after === null || completeThrough > after ? completeThrough : after;
  return { ...rest, isFull, through: isFull ? lastId : end };
}

async function rankInTurn(transaction: Transaction, mints: readonly string[], asOf: Date): Promise<number> {
  let changed = 0;
  for (let at = 0; at < mints.length; at += TOKENS_PER_STATEMENT)
    changed += await rankTokens(transaction, mints.slice(at, at + TOKENS_PER_STATEMENT), asOf);
  return changed;
}

/** The next tokens of a pass over all; `through` is null after the last ones. */
async function sweep(transaction: Transaction, after: bigint, asOf: Date) {
  const rows = await transaction<{ mintAddress: string; ordinal: bigint }[]>`
    select mint_address, ordinal from tokens where ordinal > ${String(after)}::int8 order by ordinal
    limit ${TOKENS_PER_STEP}`;
  const mints = rows.map(({ mintAddress }) => mintAddress);
  await storeNames(transaction, mints, false);
  const changed = await rankInTurn(transaction, mints, asOf);
  const through = rows.length < TOKENS_PER_STEP ? null : (rows.at(-1)?.ordinal ?? null);
  return { changed, through };
}
