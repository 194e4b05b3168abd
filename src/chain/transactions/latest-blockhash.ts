import type { Clock } from '../../shared/clock.ts';
import { KeyedLoads } from '../../shared/keyed-loads.ts';
import { type ChainHeadSource, isFresh } from '../head.ts';
import { LEAD_BLOCKS } from '../node-trust/believed-position.ts';
import { heightCeiling, leastCurrentSlot, marginBlocks, nearSlots } from '../node-trust/chain-reach.ts';
import { asCurrent, currentFirst } from '../node-trust/first-current-response.ts';
import { LOCAL_WINDOW_BLOCKS, WINDOW_BLOCKS } from '../pace/protocol.ts';
import { getLatestBlockhash, type LatestBlockhash } from '../rpc/blockhash-calls.ts';
import type { ChainRpc } from '../rpc.ts';

/**
 * A blockhash for new transactions. Its height is a bound that does not depend on the node: no block above it
 * takes a transaction with this blockhash.
 */
export interface UsableBlockhash extends LatestBlockhash {
  /**
   * When the chain is expected to stop taking it, by the pace of the chain. An estimate: the height is the bound, and
   * is later.
   */
  expiresAt: Date;
}

export interface BlockhashSource {
  /** A blockhash for new transactions. Null when no node returns one that can be believed. */
  latest(): Promise<UsableBlockhash | null>;
  /** Forgets a blockhash that the chain does not know. Its node is asked last from now on. */
  refuse(blockhash: string): void;
  /** Forgets the kept blockhash, so that the next call asks a node. */
  forget(): void;
}

export interface BlockhashDependencies {
  /** They are asked in this order. */
  rpcs: readonly ChainRpc[];
  chainHead: ChainHeadSource;
  clock: Clock;
}

const TIMEOUT_MS = 2_000;
/** The share of its life for which a blockhash is kept: half a second on mainnet. */
const KEPT_SHARE = 1 / 60;
const KEY = 'latest';

/** Keeps one blockhash for all transactions that a process builds. Concurrent callers share the request. */
export function createBlockhashSource({ rpcs, chainHead, clock }: BlockhashDependencies): BlockhashSource {
  const keptMs = () => ((Number(WINDOW_BLOCKS) * KEPT_SHARE) / chainHead.pace().blocksPerSecond) * 1_000;
  const kept = new KeyedLoads<UsableBlockhash | null>({ maxAgeMs: keptMs, entriesMax: 2 });
  const distrusted = new Set<ChainRpc>();
  const nodeOfBlockhash = new Map<string, ChainRpc>();

  /**
   * The blockhash with a height that does not depend on its node. A height that is too low would end an
   * intent whose transaction can still land, so the height is at least a whole window above the highest block
   * that can exist. Null for a height that the chain cannot have: an intent with it would wait too long or
   * never.
   */
  function toUsable({ blockhash, lastValidBlockHeight: reported }: LatestBlockhash): UsableBlockhash | null {
    const head = chainHead.current();
    const now = clock.now();
    const ceiling = heightCeiling(rpcs, now);
    if (head === null || !isFresh(head, now) || ceiling === null) return null;
    const windowMax = chainHead.identity()?.cluster === 'localnet' ? LOCAL_WINDOW_BLOCKS : WINDOW_BLOCKS;
    if (reported <= head.blockHeight || reported > ceiling + windowMax + LEAD_BLOCKS) return null;
    const bound = ceiling + WINDOW_BLOCKS + marginBlocks(rpcs);
    const pace = chainHead.pace();
    // A node that is asked lags no more than this. A lower height is false, and would end the transaction at once.
    const leastLeft = WINDOW_BLOCKS - nearSlots(pace);
    const left = Number(reported - head.blockHeight);
    const blocksLeft = Math.min(Math.max(left, Number(leastLeft)), Number(windowMax));
    return {
      blockhash,
      lastValidBlockHeight: reported > bound ? reported : bound,
      expiresAt: new Date(now.getTime() + (blocksLeft / pace.blocksPerSecond) * 1_000),
    };
  }

  async function load() {
    const now = clock.now();
    const least = leastCurrentSlot(rpcs, now);
    const byTrust = currentFirst(rpcs, least, now).sort(
      (one, other) => Number(distrusted.has(one)) - Number(distrusted.has(other)),
    );
    for (const rpc of byTrust) {
      const response = await asCurrent(rpc, least, clock, (node, slot) =>
        getLatestBlockhash(node, TIMEOUT_MS, slot),
      );
      const value = response.ok ? toUsable(response.value) : null;
      if (value === null) continue;
      nodeOfBlockhash.clear();
      nodeOfBlockhash.set(value.blockhash, rpc);
      return value;
    }
    // The next caller tries again.
    kept.drop(KEY);
    return null;
  }

  return {
    latest: () => kept.get(KEY, load),
    forget: () => kept.clear(),
    refuse(blockhash) {
      const rpc = nodeOfBlockhash.get(blockhash);
      if (rpc === undefined) return;
      nodeOfBlockhash.delete(blockhash);
      kept.drop(KEY);
      // When all nodes are distrusted, their first order returns.
      distrusted.add(rpc);
      if (distrusted.size === rpcs.length) distrusted.clear();
    },
  };
}
