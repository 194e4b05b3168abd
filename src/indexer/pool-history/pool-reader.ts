import { getSignaturesForAddress, type SignatureRecord } from '../../chain/rpc/history-calls.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import { decodeTransaction } from '../decode/decode-transaction.ts';
import type { BatchEnds } from '../finality/batch-ends.ts';
import type { SourceProofs } from '../proofs/source-proofs.ts';
import { WalkEvidence } from '../proofs/walk-evidence.ts';
import type { PlacedTransaction, PublishDependencies } from './batch-publisher.ts';
import { SignatureWalk } from './continuity.ts';
import type { FetchDependencies } from './fetch-dependencies.ts';
import { type FetchedTransaction, fetchTransactions } from './fetch-transactions.ts';
import { HistoryStart } from './history-start.ts';
import type { IndexedPool } from './list-pools.ts';
import { NodeUnavailable } from './node-backoff.ts';
import { type BlockPlace, placeInBlock, wholeSlotCount } from './place-in-block.ts';
import { type PoolCursor, readCursor } from './pool-cursor.ts';
import { PoolInspector } from './pool-inspector.ts';
import { PoolLiquidity } from './pool-liquidity.ts';
import { publishAndAdvance } from './publish-and-advance.ts';

/** Limits of one step. Tests make them small. */
export interface ReadLimits {
  /** Signatures per page, at most 1,000. */
  pageSize: number;
  /** Transactions that are fetched, published and marked as read together. */
  batchSize: number;
}

export interface PoolReaderDependencies extends PublishDependencies, FetchDependencies {
  limits: ReadLimits;
  proofs: SourceProofs;
  /** Takes the end of each batch that was read, to be compared once it is final. */
  batchEnds: Pick<BatchEnds, 'add'>;
}

/**
 * `more`: there is more to read now. `idle`: nothing is new. `later`: there are new transactions that cannot
 * be read now.
 */
export type ReadOutcome = 'more' | 'idle' | 'later';

const LIST_TIMEOUT_MS = 4_000;
/** A listed transaction that no node has is logged after this many steps in a row. Fewer may be a race. */
const MISSING_LOGGED_STEPS = 8;

/** Reads one pool in small steps, so that a long history never delays the other pools. */
export class PoolReader {
  readonly #dependencies: PoolReaderDependencies;
  #pool: IndexedPool;
  readonly #historyStart = new HistoryStart();
  readonly #inspector: PoolInspector;
  readonly #liquidity: PoolLiquidity;
  /** Undefined until it is read from the database, and again after another worker has moved it. */
  #cursor: PoolCursor | null | undefined;
  #walk: {
    signatures: SignatureWalk;
    evidence: WalkEvidence;
    rpc: ChainRpc;
    isDone: boolean;
    hasFound: boolean;
  } | null = null;
  /** Records that were found and not applied yet, oldest first: at most one page. */
  #pending: SignatureRecord[] = [];
  #lastPlace: BlockPlace | null = null;
  #turn = 0;
  #missingSteps = 0;
  #atLeastSlot = 0n;

  constructor(dependencies: PoolReaderDependencies, pool: IndexedPool) {
    this.#dependencies = dependencies;
    this.#pool = pool;
    this.#inspector = new PoolInspector(dependencies);
    this.#liquidity = new PoolLiquidity(dependencies, pool);
    // If a node does not report places in the block, transactions after the migration in its slot are
    // numbered from its place on.
    if (pool.migration !== null)
      this.#lastPlace = { slot: pool.migration.slot, ordinal: pool.migration.transactionIndex - 1 };
  }

  /** Slot of the newest transaction whose trades are in the ingest stream. */
  get cursorSlot(): bigint | null {
    return this.#cursor?.slot ?? null;
  }

  get requestCount(): number {
    return this.#dependencies.nodes.requestCount;
  }

  /** True from the beginning of a walk until its last record is read. */
  get isWalking(): boolean {
    return this.#walk !== null;
  }

  /**
   * Runs one step. Throws when the database or the broker is unavailable. The next step continues where this
   * one began.
   *
   * @param atLeastSlot a walk that begins in this step uses a node that has reached this slot
   */
  async step(atLeastSlot = 0n): Promise<ReadOutcome> {
    const { db, nodes, signal } = this.#dependencies;
    this.#atLeastSlot = atLeastSlot;
    if (this.#cursor === undefined) this.#cursor = await readCursor(db, this.#pool.poolAddress);
    if (this.#inspector.isUnusable) return 'idle';
    for (const rpc of this.#candidates(nodes.available(this.#turn))) {
      if (signal.aborted) break;
      try {
        if (this.#walk === null) this.#pool = await this.#inspector.inspect(rpc, this.#pool);
        if (this.#inspector.isUnusable) return 'idle';
        const outcome = await this.#stepOn(rpc, this.#cursor);
        if (outcome === 'idle' && this.#pool.isMigrated) await this.#inspector.retire(this.#pool);
        if (outcome !== 'gap' && this.#pool.venue === 'damm_v1') await this.#refreshLiquidity(rpc);
        if (outcome !== 'gap') return outcome;
        const { poolAddress } = this.#pool;
        this.#dependencies.log.warn(
          { node: rpc.name, poolAddress, cursor: this.#cursor },
          'indexer.node_has_gap',
        );
      } catch (error) {
        if (!(error instanceof NodeUnavailable)) throw error;
      }
      this.#resetWalk();
    }
    return 'later';
  }

  /** A walk stays at its node, because another node may know less and cannot use its page marks. */
  #candidates(available: ChainRpc[]): ChainRpc[] {
    const walk = this.#walk;
    if (walk !== null && (this.#pending.length > 0 || available.includes(walk.rpc))) return [walk.rpc];
    this.#resetWalk();
    this.#turn += 1;
    return available;
  }

  async #stepOn(rpc: ChainRpc, cursor: PoolCursor | null): Promise<ReadOutcome | 'gap'> {
    this.#walk ??= {
      ...this.#startWalk(rpc, cursor),
      rpc,
      isDone: false,
      hasFound: false,
    };
    const walk = this.#walk;
    if (!walk.isDone) {
      const progress = await walk.signatures.advance();
      if (progress !== 'done') return progress;
      walk.isDone = true;
    }
    if (this.#pending.length === 0) {
      const records = await walk.signatures.takeOldest();
      if (records === null) {
        this.#proveEnd(walk, cursor);
        this.#resetWalk();
        return walk.hasFound ? 'more' : 'idle';
      }
      walk.hasFound = true;
      this.#pending = records;
    }
    return this.#readPending(rpc, cursor);
  }

  #startWalk(rpc: ChainRpc, cursor: PoolCursor | null) {
    const { nodes, limits, proofs } = this.#dependencies;
    const { poolAddress } = this.#pool;
    const atLeastSlot = this.#atLeastSlot;
    const evidence = new WalkEvidence(
      proofs.observedHead(rpc),
      ({ minContextSlot = 0n, ...range }) => {
        const least = minContextSlot > atLeastSlot ? minContextSlot : atLeastSlot;
        return nodes.call(rpc, (node) =>
          getSignaturesForAddress(node, poolAddress, { ...range, minContextSlot: least }, LIST_TIMEOUT_MS),
        );
      },
      () => nodes.available(0).includes(rpc),
    );
    const signatures = new SignatureWalk((range) => evidence.list(range), cursor, limits.pageSize);
    return { evidence, signatures };
  }

  /** Called at the end of a walk. Everything up to the head observed before the walk is published. */
  #proveEnd(
    {
      signatures,
      evidence,
      hasFound,
    }: { signatures: SignatureWalk; evidence: WalkEvidence; hasFound: boolean },
    cursor: PoolCursor | null,
  ): void {
    const { proofs } = this.#dependencies;
    const { poolAddress } = this.#pool;
    if (cursor === null || !signatures.isTaken || evidence.head === null || !proofs.isDue(poolAddress))
      return;
    if (hasFound || signatures.isCursorNewest) proofs.provePools([poolAddress], evidence.head);
  }

  async #readPending(rpc: ChainRpc, cursor: PoolCursor | null): Promise<ReadOutcome> {
    const { limits } = this.#dependencies;
    const batch = this.#pending.slice(0, wholeSlotCount(this.#pending, limits.batchSize));
    const fetched = await fetchTransactions(this.#dependencies, rpc, batch);
    this.#recordMissing(batch[fetched.length]);
    if (fetched.length === 0) return 'later';
    const { transactions, place } = this.#decode(fetched);
    if (cursor === null && !this.#mayBeginWith(rpc, transactions)) {
      this.#resetWalk();
      return 'later';
    }
    await this.#compareLater(transactions);
    const moved = await publishAndAdvance(this.#dependencies, this.#pool, cursor, transactions);
    if (moved === null) {
      this.#cursor = undefined;
      this.#resetWalk();
      return 'more';
    }
    this.#cursor = moved;
    this.#lastPlace = place;
    this.#noteMigration(transactions);
    this.#noteVenue(transactions);
    const newest = transactions.at(-1);
    if (newest !== undefined)
      this.#liquidity.noteTransaction({
        slot: newest.record.slot,
        transactionIndex: newest.transactionIndex,
      });
    this.#pending = this.#pending.slice(fetched.length);
    return fetched.length === batch.length ? 'more' : 'later';
  }

  /**
   * Before anything is published: what a failure interrupts may be stored all the same, and a fork may drop its block
   * before the next try, which then no longer sees it.
   */
  async #compareLater(transactions: readonly PlacedTransaction[]): Promise<void> {
    const last = transactions.at(-1);
    if (last === undefined) return;
    const { signature, slot } = last.record;
    await this.#dependencies.batchEnds.add({ poolAddress: this.#pool.poolAddress, signature, slot });
  }

  #decode(fetched: readonly FetchedTransaction[]): {
    transactions: PlacedTransaction[];
    place: BlockPlace | null;
  } {
    let place = this.#lastPlace;
    const transactions = fetched.map((one) => {
      const placed = placeInBlock(one, place);
      place = placed.place;
      const { record, transaction } = one;
      const decoded = transaction === null ? null : decodeTransaction(transaction, this.#pool);
      return { record, transactionIndex: placed.transactionIndex, transaction, decoded };
    });
    return { transactions, place };
  }

  /** Whether the first read of the pool may begin with these transactions. Logs missing history. */
  #mayBeginWith(rpc: ChainRpc, transactions: readonly PlacedTransaction[]): boolean {
    const oldest = transactions[0]?.record;
    if (oldest === undefined) return false;
    const first = transactions.find(({ decoded }) => decoded?.poolCreated || decoded?.trades.length);
    const verdict = this.#historyStart.judge(oldest, first?.decoded?.poolCreated === true);
    if (verdict === 'pruned') {
      const { poolAddress } = this.#pool;
      const begin = { beginSignature: oldest.signature, beginSlot: oldest.slot.toString() };
      this.#dependencies.log.warn({ node: rpc.name, poolAddress, ...begin }, 'indexer.history_pruned');
    }
    return verdict !== 'another';
  }

  /** Runs between two walks, because the trades of a long history come first. */
  async #refreshLiquidity(rpc: ChainRpc): Promise<void> {
    const { cursorSlot } = this;
    if (this.#walk === null && cursorSlot !== null) await this.#liquidity.refresh(rpc, cursorSlot);
  }

  #noteMigration(transactions: readonly PlacedTransaction[]): void {
    const { poolAddress } = this.#pool;
    const isCurve = transactions.some(({ decoded }) =>
      decoded?.migrations.some(({ curvePoolAddress }) => curvePoolAddress === poolAddress),
    );
    if (isCurve) this.#pool = { ...this.#pool, isMigrated: true };
  }

  /** A trade shows the program of a pool whose account no node has returned. */
  #noteVenue(transactions: readonly PlacedTransaction[]): void {
    if (this.#pool.venue !== 'unknown') return;
    const { poolAddress } = this.#pool;
    const trades = transactions.flatMap(({ decoded }) => decoded?.trades ?? []);
    const trade = trades.find((one) => one.poolAddress === poolAddress);
    if (trade !== undefined) this.#pool = { ...this.#pool, venue: trade.venue };
  }

  #recordMissing(record: SignatureRecord | undefined): void {
    this.#missingSteps = record === undefined ? 0 : this.#missingSteps + 1;
    if (record === undefined || this.#missingSteps !== MISSING_LOGGED_STEPS) return;
    const { poolAddress } = this.#pool;
    this.#dependencies.log.error({ poolAddress, signature: record.signature }, 'indexer.transaction_missing');
  }

  #resetWalk(): void {
    this.#walk = null;
    this.#pending = [];
  }
}
