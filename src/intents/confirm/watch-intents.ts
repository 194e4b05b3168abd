import type { NatsConnection } from '@nats-io/transport-node';
import type { SignatureWakeUps } from '../../chain/streams/signature-wake-ups.ts';
import { advisoryLocks, withAdvisoryLock } from '../../db/advisory-lock.ts';
import type { StepJob } from '../../db/jobs/job.ts';
import { hints } from '../../shared/bus/topology.ts';
import type { Logger } from '../../shared/log.ts';
import { Wakeup, wait } from '../../shared/loop.ts';
import type { LoopPulse } from '../../shared/loop-pulse.ts';
import { AwaitedWatch } from './awaited-watch.ts';
import type { ConfirmContext } from './confirm-submitted.ts';

/** Another worker takes over from one that died within this time. */
const TAKE_OVER_MS = 1_000;
/** Finds submissions whose hint was lost; until then polls confirm them. */
const IDLE_MS = 2_000;
/**
 * Submissions within this time are listed together: a transaction needs some hundred milliseconds to be
 * confirmed.
 */
const GATHER_MS = 40;

export interface IntentWatcherDependencies {
  context: ConfirmContext;
  connection: NatsConnection;
  wakeUps: SignatureWakeUps;
  log: Logger;
}

/**
 * The job that subscribes to the transactions of submitted intents and reads the status of each as soon as a
 * node reports it as confirmed. One worker does it for all, so that nodes get one subscription. The lock only
 * saves work: ended intents do not change, and polls work even when none of this does (decision 0032).
 */
export function intentWatcher(dependencies: IntentWatcherDependencies): StepJob {
  return {
    name: 'intent-watcher',
    everyMs: TAKE_OVER_MS,
    async step(stop, pulse) {
      await withAdvisoryLock(dependencies.context.db, advisoryLocks.intentWatcher, (held) =>
        watch(dependencies, AbortSignal.any([stop, held.signal]), pulse),
      );
      return false;
    },
  };
}

async function watch(
  { context, connection, wakeUps, log }: IntentWatcherDependencies,
  until: AbortSignal,
  pulse: LoopPulse,
): Promise<void> {
  const failed = new AbortController();
  const signal = AbortSignal.any([until, failed.signal]);
  const awaited = new AwaitedWatch({ context, wakeUps, log, signal });
  const submitted = new Wakeup();
  const changes = connection.subscribe(hints.statusChanged, {
    callback: (error, message) => {
      if (error === null && awaited.onChanged(message.string().split(','))) submitted.wake();
    },
  });
  const listening = wakeUps.run((signature) => awaited.onNotification(signature), signal);
  try {
    while (!signal.aborted) {
      const hasMore = await awaited.refresh();
      pulse.beat();
      if (hasMore) continue;
      await pulse.rest(submitted.wait(IDLE_MS, signal));
      await pulse.rest(wait(GATHER_MS, signal));
    }
  } finally {
    failed.abort();
    changes.unsubscribe();
    await Promise.all([listening, awaited.finish()]);
  }
}
