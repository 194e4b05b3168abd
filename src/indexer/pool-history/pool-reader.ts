import type { SignatureRecord } from '../../chain/rpc/history-calls.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import type { BatchEnds } from '../finality/batch-ends.ts';
import type { SourceProofs } from '../proofs/source-proofs.ts';
import type { PoolTransaction, PublishDependencies } from './batch-publisher.ts';
import { decodeBatch, type SlotOrdinal } from './decode-batch.ts';
import { type FetchDependencies, fetchTransactions } from './fetch-transactions.ts';
import { HistoryStart } from './history-start.ts';
import type { IndexedPool } from './list-pools.ts';
import { NodeUnavailable } from './node-set.ts';
import { type PoolCursor, readCursor } from './pool-cursor.ts';
import { PoolFacts } from './pool-facts.ts';
import { PoolLiquidity } from './pool-liquidity.ts';
import { PoolWalk } from './pool-walk.ts';
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

/** A listed transaction that no node has is logged after this many steps in a row. Fewer may be a race. */
const MISSING_LOGGED_STEPS = 8;

/**
 * Reads one pool in small steps, so that a long history never delays the other pools. A pass inspects the
 * pool's account, walks the history at one node, publishes what the walk found in batches, oldest first, and
 * ends the walk with its proof.
 */
export class PoolReader {
  readonly #dependencies: PoolReaderDependencies;
  readonly #poolAddress: string;
  readonly #facts: PoolFacts;
  readonly #liquidity: PoolLiquidity;
  readonly #historyStart = new HistoryStart();
  /** Undefined until it is read from the database, and again after another worker has moved it. */
  #cursor: PoolCursor | null | undefined;
  #walk: PoolWalk | null = null;
  #nodeOffset = 0;
  #lastOrdinal: SlotOrdinal | null = null;
  #missingSteps = 0;

  constructor(dependencies: PoolReaderDependencies, pool: IndexedPool) {
    this.#dependencies = dependencies;
    this.#poolAddress = pool.poolAddress;
    this.#facts = new PoolFacts(dependencies, pool);
    this.#liquidity = new PoolLiquidity(dependencies, pool);
    // If a node does not report indexes in the block, transactions after the migration in its slot are
    // numbered from its index on.
    if (pool.migration !== null)
      this.#lastOrdinal = { slot: pool.migration.slot, ordinal: pool.migration.transactionIndex - 1 };
  }

  /** Slot of the newest transaction whose trades are in the ingest stream. */
  get cursorSlot(): bigint | null {
    return this.#cursor?.slot ?? null;
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
    const { db, log, signal } = this.#dependencies;
    const poolAddress = this.#poolAddress;
    if (this.#cursor === undefined) this.#cursor = await readCursor(db, poolAddress);
    const cursor = this.#cursor;
    if (this.#facts.isUnusable) return 'idle';
    for (const rpc of this.#nodesToTry()) {
      if (signal.aborted) break;
      try {
        const outcome = await this.#stepAt(rpc, cursor, atLeastSlot);
        if (outcome !== 'gap') return outcome;
        log.warn({ node: rpc.name, poolAddress, cursor }, 'indexer.node_has_gap');
      } catch (error) {
        if (!(error instanceof NodeUnavailable)) throw error;
      }
      this.#walk = null;
    }
    return 'later';
  }

  /** A walk stays at its node, because another node may know less and cannot use its page marks. */
  #nodesToTry(): readonly ChainRpc[] {
    const available = this.#dependencies.nodes.available(this.#nodeOffset);
    const walk = this.#walk;
    if (walk !== null && (walk.hasUnread || available.includes(walk.rpc))) return [walk.rpc];
    this.#walk = null;
    this.#nodeOffset += 1;
    return available;
  }

  async #stepAt(rpc: ChainRpc, cursor: PoolCursor | null, atLeastSlot: bigint): Promise<ReadOutcome | 'gap'> {
    if (this.#walk === null) await this.#facts.inspect(rpc);
    if (this.#facts.isUnusable) return 'idle';
    this.#walk ??= this.#beginWalk(rpc, cursor, atLeastSlot);
    const progress = await this.#walk.advance();
    if (progress === 'found') return this.#readBatch(this.#walk, cursor);
    return progress === 'end' ? this.#endWalk(this.#walk, cursor) : progress;
  }

  #beginWalk(rpc: ChainRpc, cursor: PoolCursor | null, atLeastSlot: bigint): PoolWalk {
    const { nodes, proofs, limits } = this.#dependencies;
    return new PoolWalk({
      nodes,
      rpc,
      head: proofs.observedHead(rpc),
      poolAddress: this.#poolAddress,
      cursor,
      atLeastSlot,
      pageSize: limits.pageSize,
    });
  }

  /** Fetches, decodes and publishes the next transactions that the walk has found. */
  async #readBatch(walk: PoolWalk, cursor: PoolCursor | null): Promise<ReadOutcome> {
    const { limits, batchEnds } = this.#dependencies;
    const records = walk.nextBatch(limits.batchSize);
    const fetched = await fetchTransactions(this.#dependencies, walk.rpc, records);
    this.#recordMissing(records[fetched.length]);
    const { transactions, last } = decodeBatch(fetched, this.#facts.pool, this.#lastOrdinal);
    const newest = transactions.at(-1);
    if (newest === undefined) return 'later';
    if (cursor === null && !this.#mayBeginWith(walk.rpc, transactions)) {
      this.#walk = null;
      return 'later';
    }
    // This comes before anything is published: what a failure interrupts may be stored all the same, and a
    // fork may drop its block before the next attempt, which then no longer lists it.
    const { signature, slot } = newest.record;
    await batchEnds.add({ poolAddress: this.#poolAddress, signature, slot });
    const moved = await publishAndAdvance(this.#dependencies, this.#facts.pool, cursor, transactions);
    if (moved === null) {
      this.#cursor = undefined;
      this.#walk = null;
      return 'more';
    }
    this.#cursor = moved;
    this.#lastOrdinal = last;
    this.#facts.learnFrom(transactions);
    this.#liquidity.noteTransaction({ slot, transactionIndex: newest.transactionIndex });
    walk.markRead(fetched.length);
    return fetched.length === records.length ? 'more' : 'later';
  }

  /** Everything up to the head that was observed before the walk is published now. */
  async #endWalk(walk: PoolWalk, cursor: PoolCursor | null): Promise<ReadOutcome> {
    const { proofs } = this.#dependencies;
    const { hasNews, provenHead } = walk;
    const { isMigrated, venue } = this.#facts.pool;
    this.#walk = null;
    if (cursor !== null && provenHead !== null && proofs.isDue(this.#poolAddress))
      proofs.provePools([this.#poolAddress], provenHead);
    if (isMigrated && !hasNews) await this.#facts.retire();
    // Liquidity is read between two walks, because the trades of a long history come first.
    if (venue === 'damm_v1' && cursor !== null) await this.#liquidity.refresh(walk.rpc, cursor.slot);
    return hasNews ? 'more' : 'idle';
  }

  /** Whether the first read of the pool may begin with these transactions. Logs missing history. */
  #mayBeginWith(rpc: ChainRpc, transactions: readonly PoolTransaction[]): boolean {
    const oldest = transactions[0]?.record;
    if (oldest === undefined) return false;
    const first = transactions.find(({ decoded }) => decoded?.poolCreated || decoded?.trades.length);
    const verdict = this.#historyStart.judge(oldest, first?.decoded?.poolCreated === true);
    if (verdict === 'pruned')
      this.#dependencies.log.warn(
        {
          node: rpc.name,
          poolAddress: this.#poolAddress,
          beginSignature: oldest.signature,
          beginSlot: oldest.slot.toString(),
        },
        'indexer.history_pruned',
      );
    return verdict !== 'another';
  }

  #recordMissing(record: SignatureRecord | undefined): void {
    this.#missingSteps = record === undefined ? 0 : this.#missingSteps + 1;
    if (record === undefined || this.#missingSteps !== MISSING_LOGGED_STEPS) return;
    const facts = { poolAddress: this.#poolAddress, signature: record.signature };
    this.#dependencies.log.error(facts, 'indexer.transaction_missing');
  }
}
