import type { Database } from '../../src/db/client.ts';
import { createSecretBox } from '../../src/shared/secret-box.ts';
import { generateWebhookSecret, sealWebhookSecret } from '../../src/shared/webhooks/secret.ts';

const ROWS_PER_INSERT = 500;

/** Replaces all endpoints by `count` new ones, subscribed to everything unless told; the ids of their accounts. */
export async function useEndpoints(
  sql: Database,
  origin: string,
  count: number,
  secretKey: string,
  eventTypesOf: (number: number) => readonly string[] = () => ['*'],
): Promise<string[]> {
  await sql`truncate webhook_endpoints, webhook_deliveries, webhook_attempts, events`;
  const box = createSecretBox(Buffer.from(secretKey, 'base64'));
  const now = new Date();
  const accountIds: string[] = [];
  for (let done = 0; done < count; done += ROWS_PER_INSERT) {
    const rows = Array.from({ length: Math.min(ROWS_PER_INSERT, count - done) }, (_, at) => {
      const id = Bun.randomUUIDv7();
      return {
        id,
        account_id: Bun.randomUUIDv7(),
        url: `${origin}/${done + at}`,
        event_types: [...eventTypesOf(done + at)],
        status: 'enabled' as const,
        sealed_secret: sealWebhookSecret(box, id, generateWebhookSecret()),
        secret_rotated_at: now,
        version: 1,
        created_at: now,
        updated_at: now,
      };
    });
    await sql`insert into accounts ${sql(rows.map(({ account_id }) => ({ id: account_id, created_at: now })))}`;
    await sql`insert into webhook_endpoints ${sql(rows)}`;
    accountIds.push(...rows.map(({ account_id }) => account_id));
  }
  await sql`analyze webhook_endpoints`;
  return accountIds;
}
