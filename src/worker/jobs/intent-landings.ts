import { isLandingDue } from '../../intents/land/claim-landings.ts';
import { type FollowContext, followLandings } from '../../intents/land/follow-landings.ts';
import type { Logger } from '../../shared/log.ts';
import { runLoop, Wakeup } from '../../shared/loop.ts';
import { DUE_FALLBACK_MS, type DueWork } from './due-work.ts';

export interface IntentLandingsJobDependencies {
  context: FollowContext;
  dueWork: DueWork;
  log: Logger;
  signal: AbortSignal;
}

/**
 * Follows transactions that landed until their blocks are final, until the signal aborts. Any number of workers
 * do it: each takes the landings that are due. It begins at the next look for due work, after the confirmation
 * is visible.
 */
export async function runIntentLandings(dependencies: IntentLandingsJobDependencies): Promise<void> {
  const { context, dueWork, log, signal } = dependencies;
  const wakeup = new Wakeup();
  const unwatch = dueWork.watch(isLandingDue, wakeup);
  await runLoop({
    name: 'intent-landings',
    log,
    signal,
    idleMs: DUE_FALLBACK_MS,
    wakeup,
    step: () => followLandings(context),
  });
  unwatch();
}
