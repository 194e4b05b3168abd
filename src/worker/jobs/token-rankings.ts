import { followRankings, isRankingDue, type RankingContext } from '../../features/tokens/follow-rankings.ts';
import type { Logger } from '../../shared/log.ts';
import { runLoop, Wakeup } from '../../shared/loop.ts';
import { DUE_FALLBACK_MS, type DueWork } from './due-work.ts';

export interface TokenRankingsJobDependencies {
  context: RankingContext;
  dueWork: DueWork;
  log: Logger;
  signal: AbortSignal;
}

/**
 * Keeps what lists of tokens are sorted by, until the signal aborts: a traded token within a second, one whose
 * windows move within the minute (contract/tokens#rankings). Any number of workers may do it.
 */
export async function runTokenRankings({
  context,
  dueWork,
  log,
  signal,
}: TokenRankingsJobDependencies): Promise<void> {
  const wakeup = new Wakeup();
  const unwatch = dueWork.watch(isRankingDue, wakeup);
  await runLoop({
    name: 'token-rankings',
    log,
    signal,
    idleMs: DUE_FALLBACK_MS,
    wakeup,
    step: () => followRankings(context),
  });
  unwatch();
}
