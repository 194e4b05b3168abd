import {
  isClaimDue,
  type SettlementContext,
  settleClaims,
} from '../../features/fees/claims/settle-claims.ts';
import type { Logger } from '../../shared/log.ts';
import { runLoop, Wakeup } from '../../shared/loop.ts';
import { DUE_FALLBACK_MS, type DueWork } from './due-work.ts';

export interface FeeClaimsJobDependencies {
  context: SettlementContext;
  dueWork: DueWork;
  log: Logger;
  signal: AbortSignal;
}

/** Announces claims that have landed until the signal aborts; any number of workers may do it in parallel. */
export async function runFeeClaims({
  context,
  dueWork,
  log,
  signal,
}: FeeClaimsJobDependencies): Promise<void> {
  const wakeup = new Wakeup();
  const unwatch = dueWork.watch(isClaimDue, wakeup);
  await runLoop({
    name: 'fee-claims',
    log,
    signal,
    idleMs: DUE_FALLBACK_MS,
    wakeup,
    step: () => settleClaims(context),
  });
  unwatch();
}
