import { type AccountListPage, type AccountListPosition, accountPageIds } from '../../db/account-list.ts';
import type { Queryable } from '../../db/client.ts';
import { type KeysetPage, keysetPage } from '../../db/keyset-page.ts';
import { rowById } from '../../db/row-look-up.ts';
import { intentStatuses } from '../../db/values/transaction-intents.ts';
import { type LandingRow, landingColumns, toLanding } from '../../intents/land/landing.ts';
import { type IntentEventRow, intentEventColumns, toIntentEvent } from '../../intents/row.ts';
import type { TransactionIntentEvent } from '../../intents/schema.ts';
import type { IntentStatus } from '../../intents/state.ts';

/** Intents of an account, newest first, without their bytes: a page with them would have half a megabyte. */
export async function listIntents(
  db: Queryable,
  accountId: string,
  page: AccountListPage<IntentStatus>,
): Promise<KeysetPage<TransactionIntentEvent, AccountListPosition>> {
  const rows = await db<(IntentEventRow & LandingRow)[]>`
    select ${intentEventColumns(db)}, ${landingColumns(db)}
    from transaction_intents i left join intent_landings l on ${rowById(db, db`l.intent_id`, db`i.id`)}
    where i.id = any(array(${accountPageIds(db, 'transaction_intents', accountId, intentStatuses, page)}))
    order by i.id desc`;
  return keysetPage(
    rows,
    page.limit,
    (row) => toIntentEvent(row, toLanding(row)),
    ({ id }) => [id],
  );
}
