import type { Logger } from '../../../shared/log.ts';
import { Problem } from '../../../shared/problem.ts';
import type { OperationEnd } from '../end-operation.ts';
import { CLAIMS_MAX, type RunnerContext } from './context.ts';
import type { AnyOperationKind, OperationRun, Step } from './kind.ts';
import { type ClaimedOperation, RunInterrupted, recordStep, renewLease, requireLease } from './lease-rows.ts';
import { finish, settleError } from './settle.ts';

/** Runs a claimed operation until it ends, is given back, or the lease is lost. Never rejects. */
export async function runOperation(
  context: RunnerContext,
  kind: AnyOperationKind,
  claimed: ClaimedOperation,
  stop: AbortSignal,
): Promise<void> {
  const log = context.log.child({ operationId: claimed.id, kind: claimed.kind });
  const hold = holdLease(context, claimed, stop, log);
  try {
    const end = await outcomeOf(context, kind, claimed, hold.signal, log);
    if (end !== null) await finish(context, claimed, end);
  } catch (error) {
    await settleError(context, claimed, interruptionOf(error, hold.signal), log);
  } finally {
    hold.release();
  }
}

async function outcomeOf(
  context: RunnerContext,
  kind: AnyOperationKind,
  claimed: ClaimedOperation,
  signal: AbortSignal,
  log: Logger,
): Promise<OperationEnd> {
  if (claimed.cancelRequestedAt !== null) return { status: 'cancelled' };
  if (claimed.claimCount > CLAIMS_MAX) {
    const requestId = context.newRequestId();
    log.error({ requestId, claims: claimed.claimCount - 1 }, 'operation.given_up');
    return {
      status: 'failed',
      code: 'internal_error',
      detail: 'The work was interrupted too often.',
      requestId,
    };
  }
  const file = await kind.run(runOf(context, claimed, signal, log));
  return { status: 'succeeded', file };
}

function runOf(
  { db, leaseMs }: RunnerContext,
  claimed: ClaimedOperation,
  signal: AbortSignal,
  log: Logger,
): OperationRun<unknown, unknown> {
  const { id: operationId, accountId, input, checkpoint } = claimed;
  return {
    operationId,
    accountId,
    input,
    checkpoint,
    signal,
    log,
    async step(work) {
      signal.throwIfAborted();
      let step: Step<unknown> = {};
      await db.begin(async (transaction) => {
        await requireLease(transaction, claimed);
        step = await work(transaction);
        await recordStep(transaction, claimed, step, leaseMs);
      });
      if (step.checkpoint !== undefined) Object.assign(claimed, { claimCount: 1, failureCount: 0 });
    },
  };
}

/** After the signal aborted, the abort is the reason, whatever the run throws. */
function interruptionOf(error: unknown, signal: AbortSignal): unknown {
  return signal.aborted && !(error instanceof Problem) ? signal.reason : error;
}

/** Renews the lease three times in its length until released, and aborts the run when the lease is lost. */
function holdLease(
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
