import type { Queryable } from '../../../src/db/client.ts';
import type { webhookEndpoints } from '../../../src/db/schema/webhooks.ts';
import { insertRows } from './insert-rows.ts';

type EndpointRow = typeof webhookEndpoints.$inferInsert;
/** The columns that a test may set. */
export type NewEndpoint = Pick<EndpointRow, 'accountId'> & Partial<EndpointRow>;

/** Inserts an enabled endpoint with all event types and without a usable secret. Returns its id. */
export async function insertEndpoint(db: Queryable, endpoint: NewEndpoint): Promise<string> {
  const [id = ''] = await insertEndpoints(db, 1, endpoint);
  return id;
}

/** Inserts `count` equal endpoints. Returns their ids. */
export async function insertEndpoints(
  db: Queryable,
  count: number,
  { createdAt = new Date(), ...endpoint }: NewEndpoint,
): Promise<string[]> {
  const rows = Array.from({ length: count }, () => ({
    id: Bun.randomUUIDv7(),
    url: 'https://x.test/',
    eventTypes: ['*'],
    status: 'enabled',
    sealedSecret: new Uint8Array(),
    secretRotatedAt: createdAt,
    version: 1,
    createdAt,
    updatedAt: createdAt,
    ...endpoint,
  }));
  await insertRows(db, 'webhook_endpoints', rows);
  return rows.map(({ id }) => id);
}
