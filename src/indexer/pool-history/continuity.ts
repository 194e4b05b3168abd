import type { SignatureRange, SignatureRecord } from '../../chain/rpc/history-calls.ts';
import type { PoolCursor } from './pool-cursor.ts';

/** Lists signatures of one pool on one node, newest first. */
export type ListSignatures = (range: SignatureRange) => Promise<SignatureRecord[]>;

/**
 * - `more`: the walk goes on.
 * - `done`: everything after the cursor (or from the beginning of the node's history) is found.
 * - `gap`: the node's history does not reach the cursor; nothing of it may be used.
 */
export type WalkProgress = 'more' | 'done' | 'gap';

interface Page {
  /** Signature the page starts behind; undefined for the newest page. */
  before: string | undefined;
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
 * there, because it lags or lost its history, could hide what lies between.
 */
export class SignatureWalk {
  readonly #list: ListSignatures;
  readonly #cursor: PoolCursor | null;
  readonly #pageSize: number;
  readonly #pages: Page[] = [];
  /** Records of the page walked last, which is the oldest. */
  #held: SignatureRecord[] = [];
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
    if (isFirst) this.#isCursorNewest = listed[0]?.signature === this.#cursor?.signature;
    const fresh = this.#newerThanCursor(listed);
    const oldest = fresh.at(-1);
    if (oldest !== undefined) {
      this.#pages.push({ before, oldest: oldest.signature, count: fresh.length });
      this.#held = fresh;
    }
    if (fresh.length < listed.length) return 'done';
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
    const isSame = listed.length === page.count && listed.at(-1)?.signature === page.oldest;
    this.#isBroken = !isSame;
    return isSame ? listed.toReversed() : null;
  }

  /** A short page: is it the end of the walk? One more record, listed without `until`, decides. */
  async #classifyEnd(listedCount: number): Promise<WalkProgress> {
    const oldest = this.#pages.at(-1)?.oldest;
    if (oldest === undefined) return 'done';
    const [next] = await this.#list({ before: oldest, limit: 1 });
    if (next === undefined) return this.#cursor === null ? 'done' : 'gap';
    if (this.#newerThanCursor([next]).length === 0) return 'done';
    // There is more after all: a node with smaller pages, or one that contradicts itself.
    return listedCount > 0 ? 'more' : 'gap';
  }

  /** Records up to the cursor. Slots only fall along the list, so an older slot also means that nothing was left out. */
  #newerThanCursor(records: readonly SignatureRecord[]): SignatureRecord[] {
    const cursor = this.#cursor;
    if (cursor === null) return [...records];
    const end = records.findIndex(
      ({ signature, slot }) => signature === cursor.signature || slot < cursor.slot,
    );
    return end === -1 ? [...records] : records.slice(0, end);
  }
}
