import type { ChainHeadSource } from '../../chain/head.ts';
import type { IntentContext } from '../../intents/end/end-intents.ts';
import { expireIntents, isIntentOverdue } from '../../intents/end/expire-intents.ts';
import type { Logger } from '../../shared/log.ts';
import { runLoop, Wakeup } from '../../shared/loop.ts';
import { DUE_FALLBACK_MS, type DueWork } from './due-work.ts';

const BATCH_MAX = 200;

export interface IntentExpirerJobDependencies {
  context: IntentContext;
  chainHead: ChainHeadSource;
  dueWork: DueWork;
  log: Logger;
  signal: AbortSignal;
}

/** Expires prepared intents by time and by block height, within 2 s of either, until the signal aborts. */
export async function runIntentExpirer({
  context,
  chainHead,
  dueWork,
  log,
  signal,
}: IntentExpirerJobDependencies): Promise<void> {
  const wakeup = new Wakeup();
  const blockHeight = () => chainHead.current()?.blockHeight ?? null;
  const fastest = () => chainHead.pace().fastestPerSecond;
  const unwatch = dueWork.watch((db, now) => isIntentOverdue(db, now, blockHeight(), fastest()), wakeup);
  await runLoop({
    name: 'intent-expirer',
    log,
    signal,
    idleMs: DUE_FALLBACK_MS,
    wakeup,
    step: async () => (await expireIntents(context, blockHeight(), BATCH_MAX, fastest())) === BATCH_MAX,
  });
  unwatch();
}
