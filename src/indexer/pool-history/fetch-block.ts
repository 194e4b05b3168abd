import { getBlock, type SignatureRecord } from '../../chain/rpc/history-calls.ts';
import type { ChainRpc } from '../../chain/rpc.ts';
import { type ChainTransaction, readChainTransaction } from '../decode/chain-transaction.ts';
import type { FetchDependencies } from './fetch-dependencies.ts';
import { NodeUnavailable } from './node-backoff.ts';

/** A block has megabytes, and the node is busy with the same burst. */
const TIMEOUT_MS = 8_000;
/** The share of the budget in one slot's time that one pool may spend on single transactions. */
const SHARE = 3 / 4;

/** Slots with so many transactions of a pool that one block takes less time than single requests. */
export function crowdedSlots(
  records: readonly SignatureRecord[],
  requestsPerSecond: number,
  slotsPerSecond: number,
): ReadonlySet<bigint> {
  const leastCount = Math.max(2, Math.ceil((requestsPerSecond / slotsPerSecond) * SHARE));
  const counts = new Map<bigint, number>();
  for (const { slot, failed } of records) if (!failed) counts.set(slot, (counts.get(slot) ?? 0) + 1);
  return new Set([...counts].flatMap(([slot, count]) => (count >= leastCount ? [slot] : [])));
}

/**
 * The transactions with these signatures in one block, by signature. Null when no node has all of them now:
 * all are then fetched singly, so that their places in the block are determined in one way.
 */
export async function fetchBlock(
  { nodes, log, signal }: FetchDependencies,
  candidates: readonly ChainRpc[],
  slot: bigint,
  wanted: ReadonlySet<string>,
): Promise<ReadonlyMap<string, ChainTransaction> | null> {
  for (const rpc of candidates) {
    if (signal.aborted) return null;
    try {
      const block = await nodes.call(rpc, (node) => getBlock(node, slot, TIMEOUT_MS), { isSpare: true });
      const found = new Map<string, ChainTransaction>();
      block?.transactions.forEach(({ meta, transaction }, transactionIndex) => {
        const signature = signatureOf(transaction);
        if (signature === null || !wanted.has(signature)) return;
        const result = { slot, blockTime: block.blockTime, transactionIndex, meta, transaction };
        found.set(signature, readChainTransaction(result));
      });
      if (found.size === wanted.size) return found;
      log.debug({ node: rpc.name, slot: slot.toString(), found: found.size }, 'indexer.block_incomplete');
    } catch (err) {
      if (err instanceof RangeError)
        log.error({ node: rpc.name, slot: slot.toString(), err }, 'indexer.block_unreadable');
      else if (!(err instanceof NodeUnavailable)) throw err;
    }
  }
  return null;
}

function signatureOf(transaction: unknown): string | null {
  const [signature] = (transaction as { signatures?: readonly unknown[] } | null)?.signatures ?? [];
  return typeof signature === 'string' ? signature : null;
}
