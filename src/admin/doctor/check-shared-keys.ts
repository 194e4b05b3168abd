import type { AdminConfig } from '../../config/load.ts';
import type { Database } from '../../db/client.ts';
import { type KeysOfWorkers, readKeysOfWorkers } from '../../db/worker-keys.ts';
import { readUnopenedOrders } from '../../features/orders/read-unopened-orders.ts';
import { createSecretBox, ORDER_KEY_PURPOSE, RESULT_KEY_PURPOSE } from '../../shared/secret-box.ts';
import { isDerivedKey } from '../secret-commands.ts';
import { causeOf, type Finding, failed, ok, skipped } from './finding.ts';

const ORDERS = 'order keys';
const LINKS = 'result link keys';
export const sharedKeyChecks = [ORDERS, LINKS];
const SILENT = 'no worker has run within the last 90 seconds';

/** Compares the keys of this command with those that running workers have entered (decisions/0106). */
export async function checkSharedKeys(database: Database, config: AdminConfig): Promise<Finding[]> {
  try {
    const workers = await readKeysOfWorkers(database);
    return [await judgeOrderKeys(database, workers, config), judgeLinkKeys(workers, config)];
  } catch (error) {
    return sharedKeyChecks.map((check) => failed(check, `they cannot be compared: ${causeOf(error)}`));
  }
}

/** The signed orders show under which keys the api sealed them. */
async function judgeOrderKeys(
  database: Database,
  workers: KeysOfWorkers | null,
  config: AdminConfig,
): Promise<Finding> {
  const [key] = config.orderKeys;
  if (key === undefined)
    return skipped(ORDERS, 'needs ORDER_KEYS, or SECRET_KEY where they are derived from it');
  if (workers === null) return skipped(ORDERS, SILENT);
  const [known, ...others] = config.orderKeys.filter((one) => workers.opensOrders(one));
  const box = known === undefined ? null : createSecretBox(known, others);
  const { signed, unopened } = await readUnopenedOrders(database, box);
  const unsent =
    signed === 0
      ? 'no signed order waits'
      : `${unopened} of ${signed} waiting orders open under no key that a worker is known to have`;
  if (!workers.openOrders) {
    return signed === 0
      ? skipped(ORDERS, 'no running worker has a key of orders, so that the api takes none')
      : failed(ORDERS, `no running worker has a key of orders: give it the ORDER_KEYS of the api; ${unsent}`);
  }
  if (!workers.opensOrders(key)) {
    const own = isDerivedKey(key, ORDER_KEY_PURPOSE, config)
      ? 'ORDER_KEYS is not set here, and no running worker has the key derived from SECRET_KEY'
      : 'no running worker has the first of ORDER_KEYS';
    return failed(ORDERS, `${own}: give api, worker and this command the same keys; ${unsent}`);
  }
  if (unopened > 0)
    return failed(
      ORDERS,
      `${unsent}: add the key under which the api sealed them to ORDER_KEYS of the workers`,
    );
  return ok(ORDERS, `a running worker has the first; waiting orders: ${signed}, all of them open`);
}

function judgeLinkKeys(workers: KeysOfWorkers | null, config: AdminConfig): Finding {
  const { resultLinkKeys } = config;
  if (resultLinkKeys === undefined) return skipped(LINKS, 'needs RESULT_LINK_KEYS');
  if (workers === null) return skipped(LINKS, SILENT);
  if (workers.signLinksUnder(resultLinkKeys))
    return ok(LINKS, 'every running worker signs under one of them');
  return isDerivedKey(resultLinkKeys[0], RESULT_KEY_PURPOSE, config)
    ? skipped(LINKS, 'needs RESULT_LINK_KEYS: a worker signs under a key that is not derived from SECRET_KEY')
    : failed(
        LINKS,
        'a worker signs links to results under a key that is not in RESULT_LINK_KEYS: give api, worker and this command the same keys',
      );
}
