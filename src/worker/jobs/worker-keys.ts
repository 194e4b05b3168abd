import type { Database } from '../../db/client.ts';
import { ENTER_WORKER_KEYS_EVERY_MS, enterWorkerKeys, type SharedKeys } from '../../db/worker-keys.ts';
import { readUnopenedOrders } from '../../features/orders/read-unopened-orders.ts';
import type { Logger } from '../../shared/log.ts';
import { runLoop } from '../../shared/loop.ts';
import type { SecretBox } from '../../shared/secret-box.ts';

export interface WorkerKeysJobDependencies {
  db: Database;
  keys: SharedKeys;
  /** Null without a key of orders. */
  orderBox: SecretBox | null;
  log: Logger;
  signal: AbortSignal;
}

/** The orders are opened at the start and every ten minutes: an order waits longer than that for its price. */
const STEPS_PER_COMPARISON = 20;

/**
 * Says which keys this worker has until the signal aborts: an api takes no order that no worker could open. Logs
 * orders that this one could not open, when their number changes.
 */
export function runWorkerKeys({ db, keys, orderBox, log, signal }: WorkerKeysJobDependencies): Promise<void> {
  let steps = 0;
  let reported = 0;
  return runLoop({
    name: 'worker-keys',
    log,
    signal,
    idleMs: ENTER_WORKER_KEYS_EVERY_MS,
    async step() {
      await enterWorkerKeys(db, keys);
      if (steps % STEPS_PER_COMPARISON === 0) {
        const { signed, unopened } = await readUnopenedOrders(db, orderBox);
        if (unopened !== reported)
          log[unopened > 0 ? 'error' : 'info'](
            { setting: 'ORDER_KEYS', signed, unopened },
            'orders.unopened',
          );
        reported = unopened;
      }
      steps += 1;
      return false;
    },
  });
}
