import type { NatsConnection } from '@nats-io/transport-node';
import type { SignatureWakeUps } from '../chain/streams/signature-wake-ups.ts';
import { advisoryLocks, withAdvisoryLock } from '../db/advisory-lock.ts';
import { AwaitedWatch } from '../features/transaction-intents/confirmation/awaited-watch.ts';
import type { ConfirmContext } from '../features/transaction-intents/confirmation/confirm-submitted.ts';
import { hints } from '../shared/bus/topology.ts';
import { wakeOnHint } from '../shared/bus/wake-on-hint.ts';
import type { Logger } from '../shared/log.ts';
import { runLoop, Wakeup, wait } from '../shared/loop.ts';
import type { LoopPulse } from '../shared/loop-pulse.ts';

/** How soon another worker takes over from one that died. */
const TAKE_OVER_MS = 1_000;
/** Only a lost hint is found by this: polls confirm its submission meanwhile. */
const IDLE_MS = 2_000;
/** Submissions of this time are listed together: a transaction needs some hundred milliseconds to be confirmed. */
const GATHER_MS = 20;

export interface IntentWatcherJobDependencies {
  context: ConfirmContext;
  connection: NatsConnection;
  wakeUps: SignatureWakeUps;
  log: Logger;
  signal: AbortSignal;
}

/**
 * Subscribes to the transactions of submitted intents, and reads the status of each as soon as a node says that it is confirmed,
 * until the signal aborts. One worker does it for all, so that nodes are asked once. The lock only saves work: what
 * has ended is left alone, and polls go on without any of this (decision 0032).
 */
export async function runIntentWatcher(dependencies: IntentWatcherJobDependencies): Promise<void> {
  const { context, connection, log, signal } = dependencies;
  const submitted = new Wakeup();
  const unsubscribe = wakeOnHint(connection, hints.statusChanged, submitted);
  await runLoop({
    name: 'intent-watcher',
    log,
    signal,
    idleMs: TAKE_OVER_MS,
    async step(stop, pulse) {
      await withAdvisoryLock(context.db, advisoryLocks.intentWatcher, (held) =>
        watch(dependencies, submitted, AbortSignal.any([stop, held.signal]), pulse),
      );
      return false;
    },
  });
  unsubscribe();
}

async function watch(
  { context, wakeUps, log }: IntentWatcherJobDependencies,
  submitted: Wakeup,
  until: AbortSignal,
  pulse: LoopPulse,
): Promise<void> {
  const failed = new AbortController();
  const signal = AbortSignal.any([until, failed.signal]);
  const awaited = new AwaitedWatch({ context, wakeUps, log, signal });
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
    await Promise.all([listening, awaited.finish()]);
  }
}
