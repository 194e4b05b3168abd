import {
  advanceLaunches,
  isLaunchPending,
  type LaunchesContext,
  type LaunchTurn,
} from '../../features/launches/advance-launches.ts';
import type { Logger } from '../../shared/log.ts';
import { runLoop, Wakeup } from '../../shared/loop.ts';
import { DUE_FALLBACK_MS, type DueWork } from './due-work.ts';

export interface LaunchesJobDependencies {
  context: LaunchesContext;
  dueWork: DueWork;
  log: Logger;
  signal: AbortSignal;
}

/**
 * Finishes launches until the signal aborts; any number of workers may do it in parallel. A token is in the
 * lists, and on its curve, well within 1 s of the outcome of its intent (contract/launches#status).
 */
export async function runLaunches({ context, dueWork, log, signal }: LaunchesJobDependencies): Promise<void> {
  const wakeup = new Wakeup();
  const turn: LaunchTurn = { afterId: null };
  const unwatch = dueWork.watch(isLaunchPending, wakeup);
  await runLoop({
    name: 'launches',
    log,
    signal,
    idleMs: DUE_FALLBACK_MS,
    wakeup,
    step: () => advanceLaunches(context, turn),
  });
  unwatch();
}
