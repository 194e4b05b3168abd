import type { SignatureRange, SignatureRecord } from '../../chain/rpc/history-calls.ts';
import type { PoolCursor } from './pool-cursor.ts';

/** Lists signatures of one pool on one node, newest first. */
export interface SignatureSource {
  list(range: SignatureRange): Promise<SignatureRecord[]>;
}

/**
 * - `more`: the walk continues.
 * - `done`: everything after the cursor is found, or everything from the beginning of the node's history.
 * - `gap`: the node's history does not reach the cursor, or contradicts itself. No part of it may be used.
 */
export type WalkProgress = 'more' | 'done' | 'gap';

interface Page {
  /** The page starts after this signature. Undefined for the newest page. */
  before: string | undefined;
  newest: string;
  oldest: string;
  count: number;
}

/**
 * Records on the first page after a cursor. It is listed without `until`, so that it includes the cursor's
 * own record: one request then finds the new records and proves that none is missing.
 */
const FIRST_PAGE = 32;

/**
 * Finds the transactions of a pool after a cursor and proves that none is missing. Nodes list newest first
 * and trades are needed oldest first, so the walk goes back to the cursor and keeps one mark per page, not
 * the signatures: for a pool with a million signatures it keeps a thousand marks and one page. Then the pages
 * are listed again, oldest first.
 *
 * A node is believed only when its list reaches the cursor's own signature, or an older slot. A list that
 * ends earlier, because the node lags or lost its history, could hide transactions. So could a list whose
 * slots rise: a record with an older slot would end the walk before later records are found.
 */
export class SignatureWalk {
  readonly #source: SignatureSource;
  readonly #cursor: PoolCursor | null;
  readonly #pageSize: number;
  readonly #pages: Page[] = [];
  /** Records of the page that was listed last, which is the oldest one. */
  #lastListed: SignatureRecord[] = [];
  /** Every further record must be below this slot. */
  #lowestSlot: bigint | null = null;
  #isBroken = false;
  #isCursorNewest = false;

  constructor(source: SignatureSource, cursor: PoolCursor | null, pageSize: number) {
    this.#source = source;
    this.#cursor = cursor;
    this.#pageSize = pageSize;
  }

  /** Whether `takeOldest` has returned every record up to the newest one. */
  get isComplete(): boolean {
    return this.#pages.length === 0 && !this.#isBroken;
  }

  /**
   * Whether the node listed the cursor as its newest record. A walk that found nothing does not prove this,
   * because a node without the pool's history lists nothing either.
   */
  get isCursorNewest(): boolean {
    return this.#isCursorNewest;
  }

  /** Lists the next older page. */
  async advance(): Promise<WalkProgress> {
    const before = this.#pages.at(-1)?.oldest;
    const isFirst = before === undefined && this.#cursor !== null;
    const limit = isFirst ? Math.min(FIRST_PAGE, this.#pageSize) : this.#pageSize;
    const until = isFirst ? undefined : this.#cursor?.signature;
    const listed = await this.#source.list({ before, until, limit });
    if (!isFalling(listed, this.#lowestSlot)) return 'gap';
    this.#lowestSlot = listed.at(-1)?.slot ?? this.#lowestSlot;
    if (isFirst) this.#isCursorNewest = listed[0] !== undefined && this.#isCursor(listed[0]);
    const fresh = this.#newerThanCursor(listed);
    const [newest, oldest] = [fresh[0], fresh.at(-1)];
    if (newest !== undefined && oldest !== undefined) {
      this.#pages.push({ before, newest: newest.signature, oldest: oldest.signature, count: fresh.length });
      this.#lastListed = fresh;
    }
    const end = listed[fresh.length];
    if (end !== undefined) return (await this.#isEnd(end, listed)) ? 'done' : 'gap';
    if (listed.length === limit) return 'more';
    return this.#classifyEnd(listed.length);
  }

  /**
   * Returns the records of the oldest remaining page, oldest first. Null when no page remains, or the rest must
   * be walked again.
   */
  async takeOldest(): Promise<SignatureRecord[] | null> {
    const page = this.#pages.pop();
    if (page === undefined) return null;
    const records = this.#lastListed;
    this.#lastListed = [];
    if (records.at(-1)?.signature === page.oldest) return records.toReversed();
    // The newest page has changed in the meantime. The next walk finds the new records.
    this.#isBroken = true;
    if (page.before === undefined) return null;
    const listed = await this.#source.list({ before: page.before, limit: page.count });
    const isSame =
      listed.length === page.count &&
      listed[0]?.signature === page.newest &&
      listed.at(-1)?.signature === page.oldest &&
      isFalling(listed, null);
    this.#isBroken = !isSame;
    return isSame ? listed.toReversed() : null;
  }

  /** The cursor always ends the walk. An older slot ends it when no younger record follows. */
  async #isEnd(end: SignatureRecord, listed: readonly SignatureRecord[]): Promise<boolean> {
    if (this.#isCursor(end) || end !== listed.at(-1)) return true;
    return isFalling(await this.#source.list({ before: end.signature, limit: 1 }), end.slot);
  }

  /** Decides whether a short page ends the walk, with one more record that is listed without `until`. */
  async #classifyEnd(listedCount: number): Promise<WalkProgress> {
    const oldest = this.#pages.at(-1)?.oldest;
    if (oldest === undefined) return 'done';
    const [next] = await this.#source.list({ before: oldest, limit: 1 });
    if (next === undefined) return this.#cursor === null ? 'done' : 'gap';
    if (!isFalling([next], this.#lowestSlot)) return 'gap';
    if (this.#newerThanCursor([next]).length === 0) return 'done';
    // There are more records: the node has smaller pages, or it contradicts itself.
    return listedCount > 0 ? 'more' : 'gap';
  }

  /**
   * Records up to the cursor. Slots only fall along the list, so an older slot also proves that no record was
   * left out.
   */
  #newerThanCursor(records: readonly SignatureRecord[]): SignatureRecord[] {
    const cursor = this.#cursor;
    if (cursor === null) return [...records];
    const end = records.findIndex((record) => this.#isCursor(record) || record.slot < cursor.slot);
    return end === -1 ? [...records] : records.slice(0, end);
  }

  /** The same transaction at another slot is new: it has landed again after a rollback of its block. */
  #isCursor({ signature, slot }: SignatureRecord): boolean {
    return signature === this.#cursor?.signature && slot === this.#cursor.slot;
  }
}

/** Whether slots never rise along the list, beginning at or below `from`. */
function isFalling(records: readonly SignatureRecord[], from: bigint | null): boolean {
  let lowest = from;
  for (const { slot } of records) {
    if (lowest !== null && slot > lowest) return false;
    lowest = slot;
  }
  return true;
}
