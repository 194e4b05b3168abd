import type { ChainHeadSource } from '../chain/head.ts';
import { expireIntents } from '../features/transaction-intents/expire-intents.ts';
import type { IntentContext } from '../features/transaction-intents/finish-intents.ts';
import type { Logger } from '../shared/log.ts';
import { runLoop } from '../shared/loop.ts';

const BATCH_MAX = 200;
/** With the head at most 0.5 s old, an intent expires within 2 s of its time. */
const POLL_MS = 1_000;

export interface IntentExpirerJobDependencies {
  context: IntentContext;
  chainHead: ChainHeadSource;
  log: Logger;
  signal: AbortSignal;
}

/** Expires prepared intents by time and by block height until the signal aborts. */
export async function runIntentExpirer({
  context,
  chainHead,
  log,
  signal,
}: IntentExpirerJobDependencies): Promise<void> {
  await runLoop({
    name: 'intent-expirer',
    log,
    signal,
    idleMs: POLL_MS,
    async step() {
      const blockHeight = chainHead.current()?.blockHeight ?? null;
      return (await expireIntents(context, blockHeight, BATCH_MAX)) === BATCH_MAX;
    },
  });
}
