import { advanceLaunches, type LaunchesContext } from '../features/launches/advance-launches.ts';
import type { Logger } from '../shared/log.ts';
import { runLoop } from '../shared/loop.ts';

/** A token is in the lists, and on its curve, well within 1 s of what the intent says (contract/launches#status). */
const POLL_MS = 750;

export interface LaunchesJobDependencies {
  context: LaunchesContext;
  log: Logger;
  signal: AbortSignal;
}

/** Brings launches to their end until the signal aborts; any number of workers may do it in parallel. */
export async function runLaunches({ context, log, signal }: LaunchesJobDependencies): Promise<void> {
  await runLoop({
    name: 'launches',
    log,
    signal,
    idleMs: POLL_MS,
    step: async () => (await advanceLaunches(context)) > 0,
  });
}
