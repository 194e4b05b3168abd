import type { Database } from '../../../db/client.ts';
import { type EndpointRecord, endpointRecord } from '../../../shared/webhooks/endpoint-record.ts';
import type { DeliveryStatus } from '../deliveries/record.ts';
import { listEndpoints } from './rows.ts';

/** An endpoint as operators see it: the public record (contract/webhooks#endpoint), and its deliveries by status, every status named. */
type EndpointOverview = EndpointRecord & { deliveries: Record<DeliveryStatus, number> };

const noDeliveries: Readonly<Record<DeliveryStatus, number>> = {
  pending: 0,
  processing: 0,
  succeeded: 0,
  retrying: 0,
  dead_letter: 0,
};

/** Endpoints of an account, oldest first, without anything secret. Null when the account does not exist. */
export async function listEndpointOverviews(
  database: Database,
  accountId: string,
): Promise<EndpointOverview[] | null> {
  if ((await database`select from accounts where id = ${accountId}`).count === 0) return null;
  const endpoints = await listEndpoints(database, accountId);
  const counts = await database<{ endpointId: string; status: DeliveryStatus; count: number }[]>`
    select endpoint_id, status, count(*)::int as count from webhook_deliveries
    where endpoint_id = any(${endpoints.map(({ id }) => id)}::uuid[]) group by endpoint_id, status`;
  return endpoints.map((row) => {
    const deliveries = { ...noDeliveries };
    for (const { endpointId, status, count } of counts) {
      if (endpointId === row.id) deliveries[status] = count;
    }
    return { ...endpointRecord(row), deliveries };
  });
}
