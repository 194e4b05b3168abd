import type { Database } from '../../../src/db/client.ts';
import { eventCatalogue, eventNames } from '../../../src/shared/events/catalogue.ts';
import type { Account } from './account.ts';
import { insertOwnEvent } from './webhooks.ts';

/** Changes everything that streams report about an account: its operations, orders and deliveries, and an event
 * of every type. */
export async function changeEverything(db: Database, account: Account): Promise<void> {
  const { accountId, ids, mark } = account;
  await db`update operations set progress_unit = ${`${mark} again`} where account_id = ${accountId}`;
  await db`
    update orders set status = 'triggered', version = version + 1, triggered_at = now(), trigger_trade_id = id,
      trigger_slot = 1, trigger_observed_price = 1, next_attempt_at = now()
    where account_id = ${accountId} and status = 'open'`;
  await db`
    update webhook_deliveries set attempt_count = attempt_count + 1, updated_at = now()
    where id = any(${ids.delivery}::uuid[])`;
  for (const name of eventNames)
    if (eventCatalogue[name].audience === 'account')
      await insertOwnEvent(db, account, name, ids.intent[0] ?? '');
}
