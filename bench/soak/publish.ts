import type { Database } from '../../src/db/client.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { wait } from '../../src/shared/loop.ts';
import { createSecretBox } from '../../src/shared/secret-box.ts';
import { generateWebhookSecret, sealWebhookSecret } from '../../src/shared/webhooks/secret.ts';
import type { Subscribers } from './subscribers.ts';

const BATCH = 20;
const RETRY_MS = 100;

/** One account per endpoint, each subscribed to `eventTypes`; the endpoints' secrets by position. */
export async function addEndpoints(
  sql: Database,
  urls: readonly string[],
  secretKey: string,
  eventTypes: readonly string[] = ['*'],
): Promise<string[]> {
  const box = createSecretBox(Buffer.from(secretKey, 'base64'));
  const secrets: string[] = [];
  for (const url of urls) {
    const [accountId, id, secret] = [Bun.randomUUIDv7(), Bun.randomUUIDv7(), generateWebhookSecret()];
    await sql`insert into accounts (id, created_at) values (${accountId}, now())`;
    await sql`
      insert into webhook_endpoints
        (id, account_id, url, event_types, status, sealed_secret, secret_rotated_at, version, created_at, updated_at)
      values (${id}, ${accountId}, ${url}, ${[...eventTypes]}, 'enabled', ${sealWebhookSecret(box, id, secret)},
        now(), 1, now(), now())`;
    secrets.push(secret);
  }
  return secrets;
}

/**
 * Commits `count` public events, spread evenly over `overMs`. A commit whose answer was lost with the database is
 * repeated under the same ids, so exactly `count` events are committed in the end.
 */
export async function publishEvents(
  sql: Database,
  subscribers: Subscribers,
  { count, overMs, signal }: { count: number; overMs: number; signal: AbortSignal },
): Promise<void> {
  const outbox = createOutbox({ source: 'http://soak/api/v2', docsUrl: 'http://soak/docs' }, systemClock);
  const startedAt = performance.now();
  for (let done = 0; done < count; done += BATCH) {
    await wait(Math.max(0, startedAt + (overMs * done) / count - performance.now()), signal);
    if (signal.aborted) return;
    const events = Array.from({ length: Math.min(BATCH, count - done) }, (_, at) =>
      outbox.compose({
        name: 'launch.created',
        subject: `event-${done + at}`,
        accountId: null,
        data: { number: done + at },
      }),
    );
    for (const { id } of events) subscribers.expect(id);
    await commit(sql, events, signal);
  }
}

type Events = ReturnType<ReturnType<typeof createOutbox>['compose']>[];

async function commit(sql: Database, events: Events, signal: AbortSignal): Promise<void> {
  const rows = events.map(({ id, type, subject, body, createdAt }) => ({
    id,
    type,
    subject,
    body,
    created_at: createdAt,
  }));
  for (let lastError: unknown; ; ) {
    if (signal.aborted) throw new Error('the database did not take the events in time', { cause: lastError });
    try {
      await sql`insert into events ${sql(rows)} on conflict (id) do nothing`;
      return;
    } catch (error) {
      lastError = error;
      await wait(RETRY_MS, signal);
    }
  }
}
