import { MintRefresh, type MintRefreshDependencies } from '../../indexer/mint-refresh.ts';
import type { RequestBudget } from '../../indexer/pool-history/request-budget.ts';
import type { Logger } from '../../shared/log.ts';
import { runLoop, wait } from '../../shared/loop.ts';

/** Pause between two requests: a pass over 100,000 tokens takes some four minutes. */
const PACE_MS = 250;
/** Pause between two passes: with few tokens, burns and mints are seen this late. */
const IDLE_MS = 5_000;

export interface MintFactsJobDependencies {
  dependencies: MintRefreshDependencies;
  /** Shared with the chain indexer. */
  budget?: RequestBudget;
  log: Logger;
  signal: AbortSignal;
}

/**
 * Updates decimals and supply of tokens from their mints until the signal aborts. Every worker does this
 * independently.
 */
export async function runMintFacts({
  dependencies,
  budget,
  log,
  signal,
}: MintFactsJobDependencies): Promise<void> {
  const refresh = new MintRefresh(dependencies);
  await runLoop({
    name: 'mint-facts',
    log,
    signal,
    idleMs: IDLE_MS,
    async step(stop) {
      await budget?.take(() => false);
      const isMore = await refresh.step();
      if (isMore) await wait(PACE_MS, stop);
      return isMore;
    },
  });
}
