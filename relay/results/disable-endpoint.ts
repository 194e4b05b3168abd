import type { Transaction } from '../../src/db/client.ts';
import { endpointColumns } from '../../src/db/endpoint-columns.ts';
import type { Outbox } from '../../src/outbox/append.ts';
import { type EndpointColumns, endpointRecord } from '../../src/shared/webhooks/endpoint-record.ts';

/**
 * Disables an endpoint and notifies its account by a `webhook_endpoint.disabled` event, in the caller's transaction:
 * `gone` after a 410, `failing` after days of failures (model/failing-rule.ts). Returns false, and changes nothing, if
 * the endpoint is already disabled or deleted.
 */
export async function disableEndpoint(
  transaction: Transaction,
  outbox: Outbox,
  endpointId: string,
  reason: 'gone' | 'failing',
): Promise<boolean> {
  const [row] = await transaction<(EndpointColumns & { accountId: string })[]>`
    update webhook_endpoints set
      status = 'disabled', disabled_reason = ${reason}, version = version + 1, updated_at = now()
    where id = ${endpointId} and status = 'enabled' and deleted_at is null
    returning account_id, ${endpointColumns(transaction)}`;
  if (row === undefined) return false;
  await outbox.append(transaction, {
    name: 'webhook_endpoint.disabled',
    subject: endpointId,
    accountId: row.accountId,
    data: endpointRecord(row),
  });
  return true;
}
