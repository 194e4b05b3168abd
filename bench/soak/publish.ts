import type { Database } from '../../src/db/client.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { wait } from '../../src/shared/loop.ts';
import type { Subscribers } from './subscribers.ts';

const BATCH = 20;
const RETRY_MS = 100;

/**
 * Commits `count` public events, spread evenly over `overMs`. A commit whose response was lost with the database is
 * repeated under the same ids, so that exactly `count` events are committed in the end.
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
    if (signal.aborted)
      throw new Error('the database did not store the events in time', { cause: lastError });
    try {
      await sql`insert into events ${sql(rows)} on conflict (id) do nothing`;
      return;
    } catch (error) {
      lastError = error;
      await wait(RETRY_MS, signal);
    }
  }
}
