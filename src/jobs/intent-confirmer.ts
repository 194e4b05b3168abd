import { advisoryLocks, withAdvisoryLock } from '../db/advisory-lock.ts';
import { hasAwaitedIntents } from '../features/transaction-intents/confirmation/check-awaited-intents.ts';
import {
  type ConfirmContext,
  confirmSubmitted,
} from '../features/transaction-intents/confirmation/confirm-submitted.ts';
import type { Logger } from '../shared/log.ts';
import { runLoop } from '../shared/loop.ts';

/** One slot: nothing new can be seen sooner. */
const POLL_MS = 400;

export interface IntentConfirmerJobDependencies {
  context: ConfirmContext;
  log: Logger;
  signal: AbortSignal;
}

/**
 * Polls the outcome of submitted intents until the signal aborts. One worker at a time does it for all, so that
 * statuses are queried once and in full batches; when it dies or freezes, it loses the lock and another takes over at its
 * next poll.
 */
export async function runIntentConfirmer({
  context,
  log,
  signal,
}: IntentConfirmerJobDependencies): Promise<void> {
  await runLoop({
    name: 'intent-confirmer',
    log,
    signal,
    idleMs: POLL_MS,
    async step() {
      if (!(await hasAwaitedIntents(context.db))) return false;
      await withAdvisoryLock(context.db, advisoryLocks.intentConfirmer, ({ database }) =>
        confirmSubmitted({ ...context, db: database }),
      );
      return false;
    },
  });
}
