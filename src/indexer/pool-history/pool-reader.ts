import { getSignaturesForAddress, type SignatureRecord } from '../../chain/rpc/history-calls.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import { type CurvePool, decodeTransaction } from '../decode/decode-transaction.ts';
import { SignatureWalk } from './continuity.ts';
import { type FetchContext, type FetchedTransaction, fetchTransactions } from './fetch-transactions.ts';
import { HistoryStart } from './history-start.ts';
import { NodeUnavailable } from './node-backoff.ts';
import { type BlockPlace, placeInBlock, wholeSlotCount } from './place-in-block.ts';
import { type PoolCursor, readCursor } from './pool-cursor.ts';
import { type ApplyContext, applyTransactions, type PlacedTransaction } from './publish-and-advance.ts';

/** Bounds of one step; tests make them small. */
export interface ReadLimits {
  /** Signatures listed at once, at most 1,000. */
  pageSize: number;
  /** Transactions fetched, published and marked as read at once. */
  batchSize: number;
}

export interface ReadContext extends ApplyContext, FetchContext {
  limits: ReadLimits;
}

/** `more`: there is more right now. `idle`: nothing new. `later`: what there is cannot be had right now. */
export type ReadOutcome = 'more' | 'idle' | 'later';

const LIST_TIMEOUT_MS = 4_000;
/** Steps in a row that found a listed transaction nowhere before that is more than a race. */
const MISSING_ALARM_STEPS = 8;

/** Reads one pool in small steps, so that a long history never keeps the other pools waiting. */
export class PoolReader {
  readonly #context: ReadContext;
  readonly #pool: CurvePool;
  readonly #historyStart = new HistoryStart();
  /** Undefined until read from the database, and again when another worker has moved it. */
  #cursor: PoolCursor | null | undefined;
  #walk: { signatures: SignatureWalk; rpc: ChainRpc; isDone: boolean; hasFound: boolean } | null = null;
  /** Found and not applied yet, oldest first: at most one page. */
  #pending: SignatureRecord[] = [];
  #lastPlace: BlockPlace | null = null;
  #turn = 0;
  #missingSteps = 0;

  constructor(context: ReadContext, pool: CurvePool) {
    this.#context = context;
    this.#pool = pool;
  }

  /** One step. Throws when the database or the broker is away; the next step goes on where this one began. */
  async step(): Promise<ReadOutcome> {
    const { db, nodes, signal } = this.#context;
    if (this.#cursor === undefined) this.#cursor = await readCursor(db, this.#pool.poolAddress);
    for (const rpc of this.#candidates(nodes.available(this.#turn))) {
      if (signal.aborted) break;
      try {
        const outcome = await this.#stepOn(rpc, this.#cursor);
        if (outcome !== 'gap') return outcome;
        const { poolAddress } = this.#pool;
        this.#context.log.warn({ node: rpc.name, poolAddress, cursor: this.#cursor }, 'indexer.node_has_gap');
      } catch (error) {
        if (!(error instanceof NodeUnavailable)) throw error;
      }
      this.#forgetWalk();
    }
    return 'later';
  }

  /** The node of a walk that has begun; marks of one node mean nothing to another that may know less. */
  #candidates(available: ChainRpc[]): ChainRpc[] {
    const walk = this.#walk;
    if (walk !== null && (this.#pending.length > 0 || available.includes(walk.rpc))) return [walk.rpc];
    this.#forgetWalk();
    this.#turn += 1;
    return available;
  }

  async #stepOn(rpc: ChainRpc, cursor: PoolCursor | null): Promise<ReadOutcome | 'gap'> {
    this.#walk ??= {
      signatures: this.#startWalk(rpc, cursor),
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
        this.#forgetWalk();
        return walk.hasFound ? 'more' : 'idle';
      }
      walk.hasFound = true;
      this.#pending = records;
    }
    return this.#readPending(rpc, cursor);
  }

  #startWalk(rpc: ChainRpc, cursor: PoolCursor | null): SignatureWalk {
    const { nodes, limits } = this.#context;
    const { poolAddress } = this.#pool;
    return new SignatureWalk(
      (range) => nodes.ask(rpc, (node) => getSignaturesForAddress(node, poolAddress, range, LIST_TIMEOUT_MS)),
      cursor,
      limits.pageSize,
    );
  }

  async #readPending(rpc: ChainRpc, cursor: PoolCursor | null): Promise<ReadOutcome> {
    const { limits } = this.#context;
    const batch = this.#pending.slice(0, wholeSlotCount(this.#pending, limits.batchSize));
    const fetched = await fetchTransactions(this.#context, rpc, batch);
    this.#noteMissing(batch[fetched.length]);
    if (fetched.length === 0) return 'later';
    const { transactions, place } = this.#decode(fetched);
    if (cursor === null && !this.#mayBeginWith(rpc, transactions)) {
      this.#forgetWalk();
      return 'later';
    }
    const moved = await applyTransactions(this.#context, this.#pool, cursor, transactions);
    if (moved === null) {
      this.#cursor = undefined;
      this.#forgetWalk();
      return 'more';
    }
    this.#cursor = moved;
    this.#lastPlace = place;
    this.#pending = this.#pending.slice(fetched.length);
    return fetched.length === batch.length ? 'more' : 'later';
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
      return { record, transactionIndex: placed.transactionIndex, decoded };
    });
    return { transactions, place };
  }

  /** Whether the first read of the pool may begin here; says so when history is missing. */
  #mayBeginWith(rpc: ChainRpc, transactions: readonly PlacedTransaction[]): boolean {
    const oldest = transactions[0]?.record;
    if (oldest === undefined) return false;
    const first = transactions.find(({ decoded }) => decoded?.poolCreated || decoded?.trades.length);
    const verdict = this.#historyStart.judge(oldest, first?.decoded?.poolCreated === true);
    if (verdict === 'pruned') {
      const { poolAddress } = this.#pool;
      const begin = { beginSignature: oldest.signature, beginSlot: oldest.slot.toString() };
      this.#context.log.warn({ node: rpc.name, poolAddress, ...begin }, 'indexer.history_pruned');
    }
    return verdict !== 'another';
  }

  #noteMissing(record: SignatureRecord | undefined): void {
    this.#missingSteps = record === undefined ? 0 : this.#missingSteps + 1;
    if (record === undefined || this.#missingSteps !== MISSING_ALARM_STEPS) return;
    const { poolAddress } = this.#pool;
    this.#context.log.error({ poolAddress, signature: record.signature }, 'indexer.transaction_missing');
  }

  #forgetWalk(): void {
    this.#walk = null;
    this.#pending = [];
  }
}
