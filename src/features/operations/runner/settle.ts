import type { Logger } from '../../../shared/log.ts';
import { wait } from '../../../shared/loop.ts';
import { Problem } from '../../../shared/problem.ts';
import { endOperation, type OperationEnd } from '../end-operation.ts';
import { lockOperation } from '../find-operation.ts';
import { CLAIMS_MAX, FAILURES_MAX, pauseAfter, type RunnerContext } from './context.ts';
import { DependencyUnavailable, RunPaused } from './kind.ts';
import { type ClaimedOperation, giveBack, RunInterrupted } from './lease-rows.ts';

const TRIES = 20;

/** Ends the operation if the lease is still held; otherwise its new holder decides. */
export async function finish(
  context: RunnerContext,
  claimed: ClaimedOperation,
  end: OperationEnd,
): Promise<void> {
  await context.db.begin(async (transaction) => {
    const operation = await lockOperation(transaction, claimed.id);
    if (operation === null || operation.leaseToken !== claimed.leaseToken)
      throw new RunInterrupted('lease_lost');
    await endOperation(transaction, context, operation, end);
  });
}

/** Ends an operation whose run threw, or gives it back. */
export async function settleError(
  context: RunnerContext,
  claimed: ClaimedOperation,
  error: unknown,
  log: Logger,
): Promise<void> {
  try {
    const end = await endAfter(context, claimed, error, log);
    if (end !== null) await finish(context, claimed, end);
  } catch (err) {
    // The lease ends by itself, and then the operation is due again.
    log.warn({ err }, 'operation.not_settled');
  }
}

/** The end for an error; null when the operation was given back or has another holder. */
async function endAfter(
  context: RunnerContext,
  claimed: ClaimedOperation,
  error: unknown,
  log: Logger,
): Promise<OperationEnd | null> {
  if (error instanceof RunInterrupted) {
    if (error.reason === 'cancel_requested') return { status: 'cancelled' };
    if (error.reason === 'lease_lost') log.warn('operation.lease_lost');
    else await giveBackWithRetries(context, claimed, { pauseMs: 0, isUncounted: true, isFailure: false });
    return null;
  }
  if (error instanceof RunPaused) {
    const { pauseMs } = error;
    await giveBackWithRetries(context, claimed, { pauseMs, isUncounted: true, isFailure: false });
    return null;
  }
  if (context.isDatabaseFailure(error)) {
    log.warn({ err: error }, 'operation.database_unavailable');
    await giveBackWithRetries(context, claimed, {
      pauseMs: context.pauses.firstMs,
      isUncounted: true,
      isFailure: false,
    });
    return null;
  }
  const requestId = context.newRequestId();
  if (error instanceof Problem) {
    log.info({ requestId, code: error.code, detail: error.message }, 'operation.failed');
    return { status: 'failed', code: error.code, detail: error.message, requestId };
  }
  if (error instanceof DependencyUnavailable) {
    const failures = claimed.failureCount + 1;
    log.warn({ err: error, requestId, failures }, 'operation.dependency_unavailable');
    if (failures < FAILURES_MAX) {
      const pauseMs = pauseAfter(context.pauses, failures);
      await giveBackWithRetries(context, claimed, { pauseMs, isUncounted: true, isFailure: true });
      return null;
    }
    return { status: 'failed', code: 'api_dependency_unavailable', detail: error.publicDetail, requestId };
  }
  log.error({ err: error, requestId, claims: claimed.claimCount }, 'operation.interrupted');
  if (claimed.claimCount >= CLAIMS_MAX)
    return { status: 'failed', code: 'internal_error', detail: null, requestId };
  const pauseMs = pauseAfter(context.pauses, claimed.claimCount);
  await giveBackWithRetries(context, claimed, { pauseMs, isUncounted: false, isFailure: false });
  return null;
}

/** The database may be unavailable for a moment: retries for as long as the lease would have lasted. */
async function giveBackWithRetries(
  context: RunnerContext,
  claimed: ClaimedOperation,
  terms: Parameters<typeof giveBack>[2],
): Promise<void> {
  const { db, leaseMs, isDatabaseFailure, onGivenBack } = context;
  for (let attempt = 1; ; attempt += 1) {
    try {
      if ((await giveBack(db, claimed, terms)) && terms.pauseMs === 0) onGivenBack();
      return;
    } catch (error) {
      if (!isDatabaseFailure(error) || attempt === TRIES) throw error;
      await wait(leaseMs / TRIES, new AbortController().signal);
    }
  }
}
