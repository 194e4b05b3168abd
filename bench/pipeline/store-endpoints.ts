import type { Database } from '../../src/db/client.ts';
import { createSecretBox } from '../../src/shared/secret-box.ts';
import { generateWebhookSecret, sealWebhookSecret } from '../../src/shared/webhooks/secret.ts';
import { emptyEvents } from './empty-events.ts';

const ROWS_PER_INSERT = 500;

export interface StoredEndpoint {
  accountId: string;
  /** The secret that signs its deliveries. */
  secret: string;
}

/** Stores enabled endpoints, each of an account of its own; in the order of `endpoints`. */
export async function storeEndpoints(
  sql: Database,
  secretKey: string,
  endpoints: readonly { url: string; eventTypes: readonly string[] }[],
): Promise<StoredEndpoint[]> {
  const box = createSecretBox(Buffer.from(secretKey, 'base64'));
  const now = new Date();
  const stored: StoredEndpoint[] = [];
  for (let done = 0; done < endpoints.length; done += ROWS_PER_INSERT) {
    const rows = endpoints.slice(done, done + ROWS_PER_INSERT).map(({ url, eventTypes }) => {
      const [id, accountId, secret] = [Bun.randomUUIDv7(), Bun.randomUUIDv7(), generateWebhookSecret()];
      stored.push({ accountId, secret });
      return {
        id,
        account_id: accountId,
        url,
        event_types: [...eventTypes],
        status: 'enabled' as const,
        sealed_secret: sealWebhookSecret(box, id, secret),
        secret_rotated_at: now,
        version: 1,
        created_at: now,
        updated_at: now,
      };
    });
    await sql`insert into accounts ${sql(rows.map(({ account_id }) => ({ id: account_id, created_at: now })))}`;
    await sql`insert into webhook_endpoints ${sql(rows)}`;
  }
  return stored;
}

/** Stores one enabled endpoint of an account that exists. */
export async function storeEndpointOf(
  sql: Database,
  secretKey: string,
  { accountId, url, eventTypes }: { accountId: string; url: string; eventTypes: readonly string[] },
): Promise<void> {
  const [stored] = await storeEndpoints(sql, secretKey, [{ url, eventTypes }]);
  if (stored === undefined) throw new Error('no endpoint was stored');
  await sql`update webhook_endpoints set account_id = ${accountId} where account_id = ${stored.accountId}`;
}

/**
 * Replaces all endpoints by `count` new ones, subscribed to all events by default. Returns the ids of their accounts.
 */
export async function replaceEndpoints(
  sql: Database,
  origin: string,
  count: number,
  secretKey: string,
  eventTypesOf: (number: number) => readonly string[] = () => ['*'],
): Promise<string[]> {
  // Deleted as the api does it: relays keep the endpoints in memory and learn of changed rows, not of missing ones.
  await sql`update webhook_endpoints set deleted_at = now() where deleted_at is null`;
  await emptyEvents(sql);
  const endpoints = Array.from({ length: count }, (_, number) => ({
    url: `${origin}/${number}`,
    eventTypes: eventTypesOf(number),
  }));
  const stored = await storeEndpoints(sql, secretKey, endpoints);
  await sql`vacuum analyze webhook_endpoints`;
  return stored.map(({ accountId }) => accountId);
}
