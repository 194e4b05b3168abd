import { MintWalk, type MintWalkContext } from '../indexer/mint-walk.ts';
import type { Logger } from '../shared/log.ts';
import { runLoop, wait } from '../shared/loop.ts';

/** Between two requests: 100,000 tokens are gone through in some four minutes. */
const PACE_MS = 250;
/** Between two rounds. */
const IDLE_MS = 2_000;

export interface MintFactsJob {
  context: MintWalkContext;
  log: Logger;
  signal: AbortSignal;
}

/** Keeps decimals and supply of tokens as their mints say, until the signal aborts. Every worker asks for itself. */
export async function runMintFacts({ context, log, signal }: MintFactsJob): Promise<void> {
  const walk = new MintWalk(context);
  await runLoop({
    name: 'mint-facts',
    log,
    signal,
    idleMs: IDLE_MS,
    async step(stop) {
      const isMore = await walk.step();
      if (isMore) await wait(PACE_MS, stop);
      return isMore;
    },
  });
}
