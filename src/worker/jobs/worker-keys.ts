import type { Database } from '../../db/client.ts';
import { ENTER_WORKER_KEYS_EVERY_MS, enterWorkerKeys, type SharedKeys } from '../../db/worker-keys.ts';
import type { Logger } from '../../shared/log.ts';
import { runLoop } from '../../shared/loop.ts';

export interface WorkerKeysJobDependencies {
  db: Database;
  keys: SharedKeys;
  log: Logger;
  signal: AbortSignal;
}

/** Says which keys this worker has until the signal aborts: an api takes no order that no worker could open. */
export function runWorkerKeys({ db, keys, log, signal }: WorkerKeysJobDependencies): Promise<void> {
  return runLoop({
    name: 'worker-keys',
    log,
    signal,
    idleMs: ENTER_WORKER_KEYS_EVERY_MS,
    async step() {
      await enterWorkerKeys(db, keys);
      return false;
    },
  });
}
