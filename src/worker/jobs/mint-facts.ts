import { MintRefresh, type MintRefreshDependencies } from '../../indexer/mint-refresh.ts';
import type { RequestBudget } from '../../indexer/pool-history/request-budget.ts';
import type { Logger } from '../../shared/log.ts';
import { runLoop, wait } from '../../shared/loop.ts';

/** Between two requests: a pass over 100,000 tokens takes some four minutes. */
const PACE_MS = 250;
/** Between two rounds. Where tokens are few, burns and mints are seen this late. */
const IDLE_MS = 5_000;

export interface MintFactsJobDependencies {
  dependencies: MintRefreshDependencies;
  /** Requests share it with the chain indexer. */
  budget?: RequestBudget;
  log: Logger;
  signal: AbortSignal;
}

/** Keeps decimals and supply of tokens as their mints say, until the signal aborts. Every worker does this by itself. */
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
