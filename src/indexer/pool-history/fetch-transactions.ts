import type { BlockText } from '../../chain/rpc/block-text.ts';
import { getBlock, getPoolTransaction, type SignatureRecord } from '../../chain/rpc/history-calls.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import type { Logger } from '../../shared/log.ts';
import { type ChainTransaction, readChainTransaction } from '../decode/chain-transaction.ts';
import { type NodeSet, NodeUnavailable } from './node-set.ts';
import type { RequestBudget } from './request-budget.ts';
import type { SharedBlocks } from './shared-blocks.ts';

const FETCHES_IN_FLIGHT_MAX = 8;
const TIMEOUT_MS = 4_000;
/** A block has megabytes, and the node is busy with the same burst. */
const BLOCK_TIMEOUT_MS = 8_000;
/** The share of the budget in one slot's time that one pool may spend on single transactions. */
const SINGLE_SHARE = 3 / 4;
/**
 * So many single transactions take as much time of this process as a block of 1,500, of which as many are read. Fewer
 * are read from a block only where the budget needs it.
 */
const SHARED_MAX = 64;

export interface FetchDependencies {
  nodes: NodeSet;
  /** Shared by the readers of all pools. */
  blocks: SharedBlocks;
  /** Limits all requests together. If unset, there is no limit. */
  budget?: RequestBudget;
  log: Logger;
  signal: AbortSignal;
}

/**
 * A listed transaction with its content. The content is null when the transaction failed, because it is not
 * needed then.
 */
export interface FetchedTransaction {
  record: SignatureRecord;
  transaction: ChainTransaction | null;
}

/**
 * Fetches transactions, several at a time. Returns them in order up to the first one that no node has now.
 * The listing node is asked first. For a crowded slot the whole block is fetched instead. A listed
 * transaction exists, so a missing one is requested again later, and later transactions wait: it is never
 * skipped.
 */
export async function fetchTransactions(
  dependencies: FetchDependencies,
  listingNode: ChainRpc,
  records: readonly SignatureRecord[],
): Promise<FetchedTransaction[]> {
  const found: (FetchedTransaction | null)[] = new Array(records.length).fill(null);
  const findInBlock = blocksOf(dependencies, listingNode, records);
  let next = 0;
  let firstMissing = records.length;
  async function fetchNext(): Promise<void> {
    while (next < firstMissing) {
      const at = next;
      next += 1;
      const record = records[at];
      if (record === undefined) return;
      const transaction = record.failed
        ? null
        : ((await findInBlock(record)) ?? (await fetchOne(dependencies, listingNode, record.signature)));
      if (record.failed || transaction !== null) found[at] = { record, transaction };
      else firstMissing = Math.min(firstMissing, at);
    }
  }
  await Promise.all(Array.from({ length: FETCHES_IN_FLIGHT_MAX }, fetchNext));
  return found.slice(0, firstMissing).filter((fetched) => fetched !== null);
}

/**
 * Finds records in the blocks of slots that are crowded by this pool, or in which many pools changed. Null for records
 * of other slots.
 */
function blocksOf(
  dependencies: FetchDependencies,
  listingNode: ChainRpc,
  records: readonly SignatureRecord[],
): (record: SignatureRecord) => Promise<ChainTransaction | null> {
  const { budget, nodes, blocks } = dependencies;
  const perSecond = budget?.perSecond ?? Number.POSITIVE_INFINITY;
  const { slotsPerSecond } = nodes.pace();
  const crowded = crowdedSlots(records, perSecond, slotsPerSecond);
  const sharedCount = Math.min(SHARED_MAX, crowdedCount(perSecond, slotsPerSecond));
  const read = new Map<bigint, Promise<ReadonlyMap<string, ChainTransaction> | null>>();
  return async ({ slot, signature }) => {
    if (!crowded.has(slot) && blocks.changedCount(slot) < sharedCount) return null;
    const inSlot = records.filter((record) => record.slot === slot && !record.failed);
    const wanted = inSlot.map((record) => record.signature);
    const found = read.get(slot) ?? readBlock(dependencies, nodesInOrder(nodes, listingNode), slot, wanted);
    read.set(slot, found);
    return (await found)?.get(signature) ?? null;
  };
}

/** Nodes that may be asked, the listing one first. */
function nodesInOrder(nodes: NodeSet, listingNode: ChainRpc): ChainRpc[] {
  const available = nodes.available(0);
  const others = available.filter((rpc) => rpc !== listingNode);
  return available.includes(listingNode) ? [listingNode, ...others] : others;
}

async function fetchOne(
  { nodes, log, signal }: FetchDependencies,
  listingNode: ChainRpc,
  signature: string,
): Promise<ChainTransaction | null> {
  for (const rpc of nodesInOrder(nodes, listingNode)) {
    if (signal.aborted) return null;
    try {
      const result = await nodes.call(rpc, (node) => getPoolTransaction(node, signature, TIMEOUT_MS));
      if (result === null) continue;
      const transaction = readChainTransaction(result);
      if (transaction.signature === signature) return transaction;
      log.error({ node: rpc.name, signature }, 'indexer.other_transaction_returned');
    } catch (err) {
      if (err instanceof RangeError) {
        log.error({ node: rpc.name, signature, err }, 'indexer.transaction_unreadable');
      } else if (!(err instanceof NodeUnavailable)) throw err;
    }
  }
  log.debug({ signature }, 'indexer.transaction_missing');
  return null;
}

/** Slots in which the pool has many transactions, so that one block takes less time than single requests. */
export function crowdedSlots(
  records: readonly SignatureRecord[],
  requestsPerSecond: number,
  slotsPerSecond: number,
): ReadonlySet<bigint> {
  const leastCount = crowdedCount(requestsPerSecond, slotsPerSecond);
  const counts = new Map<bigint, number>();
  for (const { slot, failed } of records) if (!failed) counts.set(slot, (counts.get(slot) ?? 0) + 1);
  return new Set([...counts].flatMap(([slot, count]) => (count >= leastCount ? [slot] : [])));
}

/** More transactions than the budget affords one by one in the time of a slot. */
function crowdedCount(requestsPerSecond: number, slotsPerSecond: number): number {
  return Math.max(2, Math.ceil((requestsPerSecond / slotsPerSecond) * SINGLE_SHARE));
}

/**
 * The transactions with these signatures in one block, by signature. Null when no node has all of them now:
 * all are then fetched singly, so that their indexes in the block come from one kind of source.
 */
async function readBlock(
  dependencies: FetchDependencies,
  candidates: readonly ChainRpc[],
  slot: bigint,
  wanted: readonly string[],
): Promise<ReadonlyMap<string, ChainTransaction> | null> {
  const isWhole = (block: BlockText) => wanted.every((signature) => block.has(signature));
  const fetch = () => fetchBlock(dependencies, candidates, slot, isWhole);
  const block = await dependencies.blocks.read(slot, isWhole, fetch);
  if (block === null) return null;
  try {
    return new Map(wanted.map((signature) => [signature, transactionIn(block, slot, signature)]));
  } catch (err) {
    if (!(err instanceof RangeError || err instanceof SyntaxError)) throw err;
    dependencies.log.error({ slot: slot.toString(), err }, 'indexer.block_unreadable');
    return null;
  }
}

function transactionIn(block: BlockText, slot: bigint, signature: string): ChainTransaction {
  const transaction = readChainTransaction({
    slot,
    blockTime: block.blockTime,
    ...block.find(signature),
  });
  if (transaction.signature !== signature) throw new RangeError('the block has another transaction there');
  return transaction;
}

/** Null when no node has a block with all that is wanted. */
async function fetchBlock(
  { nodes, log, signal }: FetchDependencies,
  candidates: readonly ChainRpc[],
  slot: bigint,
  isWhole: (block: BlockText) => boolean,
): Promise<BlockText | null> {
  for (const rpc of candidates) {
    if (signal.aborted) return null;
    try {
      const block = await nodes.call(rpc, (node) => getBlock(node, slot, BLOCK_TIMEOUT_MS), {
        isSpare: true,
      });
      if (block !== null && isWhole(block)) return block;
      log.debug({ node: rpc.name, slot: slot.toString() }, 'indexer.block_incomplete');
    } catch (err) {
      if (!(err instanceof NodeUnavailable)) throw err;
    }
  }
  return null;
}
