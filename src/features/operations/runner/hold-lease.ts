import type { Logger } from '../../../shared/log.ts';
import type { RunnerContext } from './context.ts';
import { type ClaimedOperation, RunInterrupted, renewLease } from './lease-rows.ts';

/** Renews the lease three times in its length until released, and aborts the run when the lease is lost. */
export function holdLease(
  { db, leaseMs }: RunnerContext,
  claimed: ClaimedOperation,
  stop: AbortSignal,
  log: Logger,
) {
  const over = new AbortController();
  const onStop = () => over.abort(new RunInterrupted('worker_stopping'));
  if (stop.aborted) onStop();
  stop.addEventListener('abort', onStop, { once: true });
  let isRenewing = false;
  const timer = setInterval(() => {
    // A renewal waits while a step holds the row; a second one would only hold another connection.
    if (isRenewing) return;
    isRenewing = true;
    renewLease(db, claimed, leaseMs)
      .then((reason) => reason !== null && over.abort(new RunInterrupted(reason)))
      // A step that cannot commit reports that itself; nothing is written without the lease.
      .catch((err: unknown) => log.warn({ err }, 'operation.lease_not_renewed'))
      .finally(() => {
        isRenewing = false;
      });
  }, leaseMs / 3);
  return {
    signal: over.signal,
    release() {
      clearInterval(timer);
      stop.removeEventListener('abort', onStop);
    },
  };
}
