import type { Database } from '../../src/db/client.ts';
import { createSecretBox } from '../../src/shared/secret-box.ts';
import { generateWebhookSecret, sealWebhookSecret } from '../../src/shared/webhooks/secret.ts';

const ROWS_PER_INSERT = 500;

export interface StoredEndpoint {
  accountId: string;
  /** What its deliveries are signed with. */
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

/** Replaces all endpoints by `count` new ones, subscribed to all events by default. Returns the ids of their accounts. */
export async function replaceEndpoints(
  sql: Database,
  origin: string,
  count: number,
  secretKey: string,
  eventTypesOf: (number: number) => readonly string[] = () => ['*'],
): Promise<string[]> {
  await sql`truncate webhook_endpoints, webhook_deliveries, webhook_attempts, events`;
  const endpoints = Array.from({ length: count }, (_, number) => ({
    url: `${origin}/${number}`,
    eventTypes: eventTypesOf(number),
  }));
  const stored = await storeEndpoints(sql, secretKey, endpoints);
  await sql`analyze webhook_endpoints`;
  return stored.map(({ accountId }) => accountId);
}
