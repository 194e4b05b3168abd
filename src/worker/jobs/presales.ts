import type { NatsConnection } from '@nats-io/transport-node';
import {
  advancePresales,
  isPresaleDue,
  type PresaleContext,
} from '../../features/presales/advance-presales.ts';
import { hints } from '../../shared/bus/topology.ts';
import { wakeOnHint } from '../../shared/bus/wake-on-hint.ts';
import type { Logger } from '../../shared/log.ts';
import { runLoop, Wakeup } from '../../shared/loop.ts';
import { DUE_FALLBACK_MS, type DueWork } from './due-work.ts';

const BATCH_MAX = 100;

export interface PresalesJobDependencies {
  connection: NatsConnection;
  context: PresaleContext;
  dueWork: DueWork;
  log: Logger;
  signal: AbortSignal;
}

/** Moves presales through their statuses, well within 1 s of their times (contract/presales#timing), until the signal aborts; any number of workers may do it in parallel. */
export async function runPresales({
  connection,
  context,
  dueWork,
  log,
  signal,
}: PresalesJobDependencies): Promise<void> {
  // A deposit may have filled a presale, a refund may have been the last.
  const wakeup = new Wakeup();
  const unsubscribe = wakeOnHint(connection, hints.presaleChanged, wakeup);
  const unwatch = dueWork.watch(isPresaleDue, wakeup);
  await runLoop({
    name: 'presales',
    log,
    signal,
    idleMs: DUE_FALLBACK_MS,
    wakeup,
    step: async () => (await advancePresales(context, BATCH_MAX)) > 0,
  });
  unwatch();
  unsubscribe();
}
