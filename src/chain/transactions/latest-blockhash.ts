import type { Clock } from '../../shared/clock.ts';
import { KeyedLoads } from '../../shared/keyed-loads.ts';
import { type ChainHeadSource, isFresh } from '../head.ts';
import {
  heightCeiling,
  LEAD_BLOCKS,
  LOCAL_WINDOW_BLOCKS,
  leastCurrentSlot,
  MARGIN_BLOCKS,
  WINDOW_BLOCKS,
} from '../node-trust/chain-reach.ts';
import { currentFirst } from '../node-trust/first-current-response.ts';
import { getLatestBlockhash, type LatestBlockhash } from '../rpc/blockhash-calls.ts';
import type { ChainRpc } from '../rpc.ts';

/** A blockhash that new transactions can use. Its height is a bound: no block above it takes a transaction with it, whatever its node says. */
export interface UsableBlockhash extends LatestBlockhash {
  /** For how long the chain is expected to take it, from when it was read; the bound is later. */
  livesMs: number;
}

export interface BlockhashSource {
  /** A blockhash that new transactions can use; null when no node gives one that can be believed. */
  latest(): Promise<UsableBlockhash | null>;
  /** Forgets a blockhash that the chain does not know: its node is asked last from now on. */
  refuse(blockhash: string): void;
  /** Asks anew. */
  forget(): void;
}

export interface BlockhashDependencies {
  /** In the order they are asked. */
  rpcs: readonly ChainRpc[];
  chainHead: ChainHeadSource;
  clock: Clock;
}

const TIMEOUT_MS = 2_000;
/** A blockhash lives some 60 seconds; keeping it costs at most one of them. */
const KEPT_MS = 1_000;
const SLOT_MS = 400;
const KEY = 'latest';

/** Keeps one blockhash warm for all transactions that a process builds; concurrent callers share the request. */
export function createBlockhashSource({ rpcs, chainHead, clock }: BlockhashDependencies): BlockhashSource {
  const kept = new KeyedLoads<UsableBlockhash | null>({ maxAgeMs: KEPT_MS, entriesMax: 2 });
  const distrusted = new Set<ChainRpc>();
  const givenBy = new Map<string, ChainRpc>();

  /**
   * The blockhash with a height that does not depend on its node's word. A height that is too low would end an intent whose
   * transaction can still land; so it is at least a whole window after the highest block that there can be. Null for a
   * height that the chain cannot give: of another chain, or made up, so that an intent would wait too long or never.
   */
  function usable({ blockhash, lastValidBlockHeight: reported }: LatestBlockhash): UsableBlockhash | null {
    const head = chainHead.current();
    const now = clock.now();
    const ceiling = heightCeiling(rpcs, now);
    if (head === null || !isFresh(head, now) || ceiling === null) return null;
    const windowMax = chainHead.identity()?.cluster === 'localnet' ? LOCAL_WINDOW_BLOCKS : WINDOW_BLOCKS;
    if (reported <= head.blockHeight || reported > ceiling + windowMax + LEAD_BLOCKS) return null;
    const blocksLeft = Math.max(Number(reported - head.blockHeight), Number(WINDOW_BLOCKS));
    const bound = ceiling + WINDOW_BLOCKS + MARGIN_BLOCKS;
    return {
      blockhash,
      lastValidBlockHeight: reported > bound ? reported : bound,
      livesMs: Math.min(blocksLeft, Number(windowMax)) * SLOT_MS,
    };
  }

  async function load() {
    const now = clock.now();
    const least = leastCurrentSlot(rpcs, now);
    const byTrust = currentFirst(rpcs, least, now).sort(
      (one, other) => Number(distrusted.has(one)) - Number(distrusted.has(other)),
    );
    for (const rpc of byTrust) {
      const response = await getLatestBlockhash(rpc, TIMEOUT_MS, least);
      const value = response.ok ? usable(response.value) : null;
      if (value === null) continue;
      givenBy.clear();
      givenBy.set(value.blockhash, rpc);
      return value;
    }
    // Tried again by the next caller.
    kept.drop(KEY);
    return null;
  }

  return {
    latest: () => kept.get(KEY, load),
    forget: () => kept.clear(),
    refuse(blockhash) {
      const rpc = givenBy.get(blockhash);
      if (rpc === undefined) return;
      givenBy.delete(blockhash);
      kept.drop(KEY);
      // When every node was caught, distrust no longer orders them.
      distrusted.add(rpc);
      if (distrusted.size === rpcs.length) distrusted.clear();
    },
  };
}
