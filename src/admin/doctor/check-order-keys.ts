import type { AdminConfig } from '../../config/load.ts';
import type { Database } from '../../db/client.ts';
import { readWorkersOrderKeys, type WorkersOrderKeys } from '../../db/worker-keys.ts';
import { readUnopenedOrders } from '../../features/orders/read-unopened-orders.ts';
import { createSecretBox } from '../../shared/secret-box.ts';
import { areOrderKeysDerived } from '../secret-commands.ts';
import { causeOf, type Finding, failed, ok, skipped } from './finding.ts';

const CHECK = 'order keys';

/**
 * Compares the keys of this command with those that running workers have entered, and both with the signed orders,
 * which show what the api sealed them under (decisions/0106).
 */
export async function checkOrderKeys(database: Database, config: AdminConfig): Promise<Finding> {
  const [key] = config.orderKeys;
  if (key === undefined)
    return skipped(CHECK, 'needs ORDER_KEYS, or SECRET_KEY where they are derived from it');
  try {
    const workers = await readWorkersOrderKeys(database);
    if (workers === null) return skipped(CHECK, 'no worker has run within the last five minutes');
    return judge({ workers, ...(await readUnopenedOrders(database, boxOf(config, workers))) }, key, config);
  } catch (error) {
    return failed(CHECK, `they cannot be compared: ${causeOf(error)}`);
  }
}

/** Opens what the workers open, as far as this command has their keys. */
function boxOf({ orderKeys }: AdminConfig, workers: WorkersOrderKeys) {
  const [key, ...others] = orderKeys.filter((one) => workers.has(one));
  return key === undefined ? null : createSecretBox(key, others);
}

interface Compared {
  workers: WorkersOrderKeys;
  signed: number;
  unopened: number;
}

function judge({ workers, signed, unopened }: Compared, key: Uint8Array, config: AdminConfig): Finding {
  const unsent = `${unopened} of ${signed} waiting orders open under no key that a worker is known to have`;
  if (workers.isEmpty) {
    return signed === 0
      ? skipped(CHECK, 'no running worker has a key of orders, so that the api takes none')
      : failed(CHECK, `no running worker has a key of orders: give it the ORDER_KEYS of the api; ${unsent}`);
  }
  if (!workers.has(key)) {
    const mine = areOrderKeysDerived(config)
      ? 'ORDER_KEYS is not set here, and no running worker has the key derived from SECRET_KEY'
      : 'no running worker has the first of ORDER_KEYS';
    return failed(CHECK, `${mine}: give api, worker and this command the same keys; ${unsent}`);
  }
  if (unopened > 0)
    return failed(
      CHECK,
      `${unsent}: add the key under which the api sealed them to ORDER_KEYS of the workers`,
    );
  return ok(CHECK, `a running worker has the first, and ${signed} waiting orders open`);
}
