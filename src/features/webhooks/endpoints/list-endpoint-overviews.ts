import type { Queryable } from '../../../db/client.ts';
import { shownColumns } from '../../../db/endpoint-columns.ts';
import {
  type ShownColumns,
  type ShownEndpointRecord,
  shownEndpointRecord,
} from '../../../shared/webhooks/endpoint-record.ts';
import type { DeliveryStatus } from '../deliveries/record.ts';
import { listEndpoints } from './rows.ts';

/**
 * An endpoint for operators: the public record (contract/webhooks#endpoint), and its number of deliveries in
 * every status.
 */
type EndpointOverview = ShownEndpointRecord & { deliveries: Record<DeliveryStatus, number> };

const noDeliveries: Readonly<Record<DeliveryStatus, number>> = {
  pending: 0,
  processing: 0,
  succeeded: 0,
  retrying: 0,
  dead_letter: 0,
};

/** Endpoints of an account, oldest first, without secrets. Null when the account does not exist. */
export async function listEndpointOverviews(
  database: Queryable,
  accountId: string,
): Promise<EndpointOverview[] | null> {
  if ((await database`select from accounts where id = ${accountId}`).count === 0) return null;
  const endpoints = await listEndpoints(database, accountId);
  const counts = await countDeliveries(
    database,
    endpoints.map(({ id }) => id),
  );
  return endpoints.map((row) => ({ ...shownEndpointRecord(row), deliveries: counts(row.id) }));
}

/** An endpoint in `endpoint show`: also its account, and when it was deleted. */
type EndpointInspection = EndpointOverview & {
  accountId: string;
  deletedAt: Date | null;
};

interface InspectionRow extends ShownColumns {
  accountId: string;
  deletedAt: Date | null;
}

/** An endpoint of any account, deleted ones too; null when there never was one. */
export async function inspectEndpoint(
  database: Queryable,
  endpointId: string,
): Promise<EndpointInspection | null> {
  const [row] = await database<InspectionRow[]>`
    select ${shownColumns(database)}, account_id, deleted_at from webhook_endpoints
    where id = ${endpointId}`;
  if (row === undefined) return null;
  const { id, ...record } = shownEndpointRecord(row);
  const { accountId, deletedAt } = row;
  const counts = await countDeliveries(database, [id]);
  return { id, accountId, ...record, deletedAt, deliveries: counts(id) };
}

/** Number of deliveries of each endpoint in every status. */
async function countDeliveries(
  database: Queryable,
  endpointIds: readonly string[],
): Promise<(endpointId: string) => Record<DeliveryStatus, number>> {
  const counts = await database<{ endpointId: string; status: DeliveryStatus; count: number }[]>`
    select endpoint_id, status, count(*)::int as count from webhook_deliveries
    where endpoint_id = any(${endpointIds as string[]}::uuid[]) group by endpoint_id, status`;
  return (endpointId) => {
    const deliveries = { ...noDeliveries };
    for (const row of counts) {
      if (row.endpointId === endpointId) deliveries[row.status] = row.count;
    }
    return deliveries;
  };
}
