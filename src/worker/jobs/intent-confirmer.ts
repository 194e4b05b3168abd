import { advisoryLocks, withAdvisoryLock } from '../../db/advisory-lock.ts';
import {
  type ConfirmContext,
  confirmSubmitted,
  PollMemory,
} from '../../intents/confirm/confirm-submitted.ts';
import { isIntentAwaited } from '../../intents/confirm/list-awaited-intents.ts';
import type { Logger } from '../../shared/log.ts';
import { runLoop, Wakeup } from '../../shared/loop.ts';
import { DUE_FALLBACK_MS, type DueWork } from './due-work.ts';

export interface IntentConfirmerJobDependencies {
  context: ConfirmContext;
  dueWork: DueWork;
  log: Logger;
  signal: AbortSignal;
}

/**
 * Polls the outcome of submitted intents until the signal aborts, whenever there are some. One worker does it
 * for all, so that statuses are queried once and in full batches; another takes over when it dies or freezes.
 * The lock only saves work: a worker that resumes late changes no intent that another has ended.
 */
export async function runIntentConfirmer({
  context,
  dueWork,
  log,
  signal,
}: IntentConfirmerJobDependencies): Promise<void> {
  const wakeup = new Wakeup();
  const memory = new PollMemory();
  const unwatch = dueWork.watch(isIntentAwaited, wakeup);
  await runLoop({
    name: 'intent-confirmer',
    log,
    signal,
    idleMs: DUE_FALLBACK_MS,
    wakeup,
    async step() {
      await withAdvisoryLock(context.db, advisoryLocks.intentConfirmer, () =>
        confirmSubmitted(context, memory),
      );
      return false;
    },
  });
  unwatch();
}
