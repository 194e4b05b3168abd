import type { NatsConnection } from '@nats-io/transport-node';
import { advancePresales, type PresaleContext } from '../features/presales/advance-presales.ts';
import { hints } from '../shared/bus/topology.ts';
import { wakeOnHint } from '../shared/bus/wake-on-hint.ts';
import type { Logger } from '../shared/log.ts';
import { runLoop, Wakeup } from '../shared/loop.ts';

const BATCH_MAX = 100;
/** A presale moves on well within 1 s of its time (contract/presales#timing). */
const POLL_MS = 500;

export interface PresalesJobDependencies {
  connection: NatsConnection;
  context: PresaleContext;
  log: Logger;
  signal: AbortSignal;
}

/** Moves presales through their statuses until the signal aborts; any number of workers may do it in parallel. */
export async function runPresales({
  connection,
  context,
  log,
  signal,
}: PresalesJobDependencies): Promise<void> {
  // A deposit may have filled a presale, a refund may have been the last.
  const wakeup = new Wakeup();
  const unsubscribe = wakeOnHint(connection, hints.presaleChanged, wakeup);
  await runLoop({
    name: 'presales',
    log,
    signal,
    idleMs: POLL_MS,
    wakeup,
    step: async () => (await advancePresales(context, BATCH_MAX)) > 0,
  });
  unsubscribe();
}
