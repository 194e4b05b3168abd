import type { Database, Transaction } from '../../src/db/client.ts';
import { endpointColumns } from '../../src/db/endpoint-columns.ts';
import { isDatabaseAway } from '../../src/db/failure.ts';
import type { Outbox } from '../../src/outbox/append.ts';
import type { Logger } from '../../src/shared/log.ts';
import { type EndpointColumns, endpointRecord } from '../../src/shared/webhooks/endpoint-record.ts';
import { ANNOUNCED_AFTER_MINUTES } from '../model/settings.ts';

interface FailingRow extends EndpointColumns {
  accountId: string;
  failingSince: Date;
}

/**
 * Appends a `webhook_endpoint.failing` for each of these endpoints whose every attempt has failed for 20
 * minutes: once until an attempt succeeds, the endpoint is enabled again or gets a new URL. The mark and the
 * event commit together. An endpoint that cannot be announced is logged and stops no other. Returns the ids
 * of the announced ones.
 */
export async function announceFailing(
  { sql, outbox, log }: { sql: Database; outbox: Outbox; log: Logger },
  endpointIds: readonly string[],
): Promise<string[]> {
  const announced: string[] = [];
  for (const id of await findUnannounced(sql, endpointIds)) {
    try {
      if (await sql.begin((transaction) => announce(transaction, outbox, id))) announced.push(id);
    } catch (err) {
      if (isDatabaseAway(err)) throw err;
      log.error({ err, endpointId: id }, 'endpoint.not_announced');
    }
  }
  return announced;
}

async function findUnannounced(sql: Database, endpointIds: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from webhook_endpoints where id = any(${[...endpointIds]}::uuid[]) and ${isUnannounced(sql)} order by id`;
  return rows.map(({ id }) => id);
}

/** Returns false when a success, a change or another relay came first. */
async function announce(transaction: Transaction, outbox: Outbox, endpointId: string): Promise<boolean> {
  const [row] = await transaction<FailingRow[]>`
    update webhook_endpoints set failing_announced = failing_since
    where id = ${endpointId} and ${isUnannounced(transaction)}
    returning account_id, failing_since, ${endpointColumns(transaction)}`;
  if (row === undefined) return false;
  await outbox.append(transaction, {
    name: 'webhook_endpoint.failing',
    subject: endpointId,
    accountId: row.accountId,
    data: { ...endpointRecord(row), failingSince: row.failingSince.toISOString() },
  });
  return true;
}

/** `judged_from`: a late result may be of the URL before. */
function isUnannounced(sql: Database | Transaction) {
  return sql`
    status = 'enabled' and deleted_at is null and failing_since is not null
    and failing_announced is distinct from failing_since
    and greatest(failing_since, judged_from) <= now() - ${ANNOUNCED_AFTER_MINUTES}::int4 * interval '1 minute'`;
}
