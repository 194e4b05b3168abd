import type { SignatureRange, SignatureRecord } from '../../chain/rpc/history-calls.ts';
import type { PoolCursor } from './pool-cursor.ts';

/** Lists signatures of one pool on one node, newest first. */
export type ListSignatures = (range: SignatureRange) => Promise<SignatureRecord[]>;

/**
 * - `more`: the walk goes on.
 * - `done`: everything after the cursor (or from the beginning of the node's history) is found.
 * - `gap`: the node's history does not reach the cursor, or contradicts itself; nothing of it may be used.
 */
export type WalkProgress = 'more' | 'done' | 'gap';

interface Page {
  /** The signature after which the page starts; undefined for the newest page. */
  before: string | undefined;
  newest: string;
  oldest: string;
  count: number;
}

/**
 * Records of the first page after a cursor. It is listed without `until`, so that it shows the cursor's own record: then one request
 * finds what is new and proves that nothing lies between.
 */
const FIRST_PAGE = 32;

/**
 * Proves the continuity of what is read of a pool: finds what it did after a cursor. Nodes list newest first and trades are wanted oldest first, so the walk goes
 * back to the cursor and keeps one mark per page, not the signatures: a pool with a million of them costs a thousand
 * marks and one page. Then pages are listed again, oldest first.
 *
 * A node is believed only when its list reaches the cursor's own signature, or an older slot. One that merely ends
 * there, because it lags or lost its history, could hide what lies between. So could one whose slots rise along the list: the
 * record with the older slot would end the walk before those that come after it.
 */
export class SignatureWalk {
  readonly #list: ListSignatures;
  readonly #cursor: PoolCursor | null;
  readonly #pageSize: number;
  readonly #pages: Page[] = [];
  /** Records of the page walked last, which is the oldest. */
  #held: SignatureRecord[] = [];
  /** The slot below which every further record has to be. */
  #lowestSlot: bigint | null = null;
  #isBroken = false;
  #isCursorNewest = false;

  constructor(list: ListSignatures, cursor: PoolCursor | null, pageSize: number) {
    this.#list = list;
    this.#cursor = cursor;
    this.#pageSize = pageSize;
  }

  /** Whether `takeOldest` has handed out every record up to the newest one there was. */
  get isTaken(): boolean {
    return this.#pages.length === 0 && !this.#isBroken;
  }

  /**
   * Whether the node listed the cursor as its newest record. A walk that merely found nothing does not show that: a node without the
   * pool's history lists nothing either.
   */
  get isCursorNewest(): boolean {
    return this.#isCursorNewest;
  }

  /** Lists one page further back. */
  async advance(): Promise<WalkProgress> {
    const before = this.#pages.at(-1)?.oldest;
    const isFirst = before === undefined && this.#cursor !== null;
    const limit = isFirst ? Math.min(FIRST_PAGE, this.#pageSize) : this.#pageSize;
    const until = isFirst ? undefined : this.#cursor?.signature;
    const listed = await this.#list({ before, until, limit });
    if (!isFalling(listed, this.#lowestSlot)) return 'gap';
    this.#lowestSlot = listed.at(-1)?.slot ?? this.#lowestSlot;
    if (isFirst) this.#isCursorNewest = listed[0] !== undefined && this.#isCursor(listed[0]);
    const fresh = this.#newerThanCursor(listed);
    const [newest, oldest] = [fresh[0], fresh.at(-1)];
    if (newest !== undefined && oldest !== undefined) {
      this.#pages.push({ before, newest: newest.signature, oldest: oldest.signature, count: fresh.length });
      this.#held = fresh;
    }
    const end = listed[fresh.length];
    if (end !== undefined) return (await this.#isEnd(end, listed)) ? 'done' : 'gap';
    if (listed.length === limit) return 'more';
    return this.#classifyEnd(listed.length);
  }

  /** Records of the oldest page not yet taken, oldest first; null when all are taken or the rest has to be walked anew. */
  async takeOldest(): Promise<SignatureRecord[] | null> {
    const page = this.#pages.pop();
    if (page === undefined) return null;
    const held = this.#held;
    this.#held = [];
    if (held.at(-1)?.signature === page.oldest) return held.toReversed();
    // The newest page has moved on meanwhile: the next walk finds it.
    this.#isBroken = true;
    if (page.before === undefined) return null;
    const listed = await this.#list({ before: page.before, limit: page.count });
    const isSame =
      listed.length === page.count &&
      listed[0]?.signature === page.newest &&
      listed.at(-1)?.signature === page.oldest &&
      isFalling(listed, null);
    this.#isBroken = !isSame;
    return isSame ? listed.toReversed() : null;
  }

  /** An older slot ends the walk when what follows it is not younger; the cursor itself always does. */
  async #isEnd(end: SignatureRecord, listed: readonly SignatureRecord[]): Promise<boolean> {
    if (this.#isCursor(end) || end !== listed.at(-1)) return true;
    return isFalling(await this.#list({ before: end.signature, limit: 1 }), end.slot);
  }

  /** A short page: is it the end of the walk? One more record, listed without `until`, decides. */
  async #classifyEnd(listedCount: number): Promise<WalkProgress> {
    const oldest = this.#pages.at(-1)?.oldest;
    if (oldest === undefined) return 'done';
    const [next] = await this.#list({ before: oldest, limit: 1 });
    if (next === undefined) return this.#cursor === null ? 'done' : 'gap';
    if (!isFalling([next], this.#lowestSlot)) return 'gap';
    if (this.#newerThanCursor([next]).length === 0) return 'done';
    // There is more after all: a node with smaller pages, or one that contradicts itself.
    return listedCount > 0 ? 'more' : 'gap';
  }

  /** Records up to the cursor. Slots only fall along the list, so an older slot also means that nothing was left out. */
  #newerThanCursor(records: readonly SignatureRecord[]): SignatureRecord[] {
    const cursor = this.#cursor;
    if (cursor === null) return [...records];
    const end = records.findIndex((record) => this.#isCursor(record) || record.slot < cursor.slot);
    return end === -1 ? [...records] : records.slice(0, end);
  }

  /** The same transaction at another slot has landed again, after its block was rolled back: it is news. */
  #isCursor({ signature, slot }: SignatureRecord): boolean {
    return signature === this.#cursor?.signature && slot === this.#cursor.slot;
  }
}

/** Whether slots never rise along the list, which begins at this slot or below. */
function isFalling(records: readonly SignatureRecord[], from: bigint | null): boolean {
  let lowest = from;
  for (const { slot } of records) {
    if (lowest !== null && slot > lowest) return false;
    lowest = slot;
  }
  return true;
}
