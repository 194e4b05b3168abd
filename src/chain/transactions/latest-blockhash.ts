import type { Clock } from '../../shared/clock.ts';
import { KeyedLoads } from '../../shared/keyed-loads.ts';
import { type ChainHeadSource, isFresh } from '../head.ts';
import { CLIMB_PER_SECOND } from '../node-trust/climb-limit.ts';
import { getLatestBlockhash, type LatestBlockhash } from '../rpc/fee-calls.ts';
import type { ChainRpc } from '../rpc.ts';

export interface BlockhashSource {
  /** A blockhash that new transactions can use; null when no node gives one that can be believed. */
  latest(): Promise<LatestBlockhash | null>;
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
/** Of some 60 seconds that a blockhash lives, as much is lost at most. */
const KEPT_MS = 1_000;
/** Blocks that a blockhash lives on every public cluster; a local chain may give people more time to sign. */
const WINDOW_BLOCKS = 150n;
const LOCAL_WINDOW_BLOCKS = 10_000n;
/** Blocks by which the node may be ahead of the head that this process knows, besides what passed since it was read. */
const LEAD_BLOCKS = 32n;
const KEY = 'latest';

/** Keeps one blockhash warm for all transactions that a process builds; concurrent callers share the request. */
export function createBlockhashSource({ rpcs, chainHead, clock }: BlockhashDependencies): BlockhashSource {
  const kept = new KeyedLoads<{ value: LatestBlockhash; rpc: ChainRpc } | null>({
    maxAgeMs: KEPT_MS,
    entriesMax: 2,
  });
  const distrusted = new Set<ChainRpc>();
  const givenBy = new Map<string, ChainRpc>();

  /** A height that the chain cannot give: of another chain, or made up, so that an intent would wait too long or never. */
  function isBelieved({ lastValidBlockHeight }: LatestBlockhash): boolean {
    const head = chainHead.current();
    const now = clock.now();
    if (head === null || !isFresh(head, now)) return false;
    const ageSeconds = Math.max(0, now.getTime() - head.observedAt.getTime()) / 1_000;
    const climbed = BigInt(Math.ceil(ageSeconds * CLIMB_PER_SECOND));
    const window = chainHead.identity()?.cluster === 'localnet' ? LOCAL_WINDOW_BLOCKS : WINDOW_BLOCKS;
    return (
      lastValidBlockHeight > head.blockHeight &&
      lastValidBlockHeight <= head.blockHeight + window + LEAD_BLOCKS + climbed
    );
  }

  async function load() {
    const byTrust = [...rpcs].sort(
      (one, other) => Number(distrusted.has(one)) - Number(distrusted.has(other)),
    );
    for (const rpc of byTrust) {
      const response = await getLatestBlockhash(rpc, TIMEOUT_MS);
      if (!response.ok || !isBelieved(response.value)) continue;
      const { value } = response;
      givenBy.clear();
      givenBy.set(value.blockhash, rpc);
      return { value, rpc };
    }
    // Tried again by the next caller.
    kept.drop(KEY);
    return null;
  }

  return {
    latest: async () => (await kept.get(KEY, load))?.value ?? null,
    forget: () => kept.clear(),
    refuse(blockhash) {
      const rpc = givenBy.get(blockhash);
      if (rpc === undefined) return;
      givenBy.delete(blockhash);
      kept.drop(KEY);
      // Of nodes that were all caught, none is told apart any more.
      distrusted.add(rpc);
      if (distrusted.size === rpcs.length) distrusted.clear();
    },
  };
}
