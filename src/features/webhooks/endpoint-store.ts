import type { Queryable, Transaction } from '../../db/client.ts';
import type { EndpointColumns } from '../../shared/webhooks/endpoint-record.ts';

/** An endpoint that its account has not deleted, or null. */
export async function findEndpoint(
  db: Queryable,
  endpointId: string,
  accountId: string,
): Promise<EndpointColumns | null> {
  const [row] = await db<EndpointColumns[]>`
    select ${endpointColumns(db)} from webhook_endpoints
    where id = ${endpointId} and account_id = ${accountId} and deleted_at is null`;
  return row ?? null;
}

/** How many endpoints the account holds; no other transaction can add one until this one ends. */
export async function countEndpointsLocked(transaction: Transaction, accountId: string): Promise<number> {
  await transaction`select from accounts where id = ${accountId} for update`;
  const [row] = await transaction<{ count: number }[]>`
    select count(*)::int as count from webhook_endpoints
    where account_id = ${accountId} and deleted_at is null`;
  return row?.count ?? 0;
}

export interface NewEndpoint {
  id: string;
  accountId: string;
  url: string;
  description: string | null;
  eventTypes: readonly string[];
  sealedSecret: Uint8Array;
  now: Date;
}

export async function insertEndpoint(
  transaction: Transaction,
  { id, accountId, url, description, eventTypes, sealedSecret, now }: NewEndpoint,
): Promise<EndpointColumns> {
  const [row] = await transaction<EndpointColumns[]>`
    insert into webhook_endpoints
      (id, account_id, url, description, event_types, status, sealed_secret, secret_rotated_at, version,
       created_at, updated_at)
    values (${id}, ${accountId}, ${url}, ${description}, ${[...eventTypes]}, 'enabled', ${sealedSecret}, ${now}, 1,
            ${now}, ${now})
    returning ${endpointColumns(transaction)}`;
  if (row === undefined) throw new Error('an inserted endpoint was not returned');
  return row;
}

function endpointColumns(db: Queryable) {
  return db`
    id, url, description, event_types, status, disabled_reason, secret_rotated_at, previous_secret_expires_at,
    version, created_at, updated_at`;
}
