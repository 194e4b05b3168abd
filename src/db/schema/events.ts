import { sql } from 'drizzle-orm';
import { check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { instant } from './columns.ts';

/**
 * Events sent: outbox while `published_at` is null, the truth for the reconciler afterwards. Partitioned by week of the
 * id, which drizzle does not know (drizzle/0003_partitions.sql).
 */
export const events = pgTable(
  'events',
  {
    /** UUIDv7, also the CloudEvents `id` and the `webhook-id`. */
    id: uuid().primaryKey(),
    type: text().notNull(),
    subject: text().notNull(),
    /** Owner of an account fact; null for a public fact (contract/events#catalogue). */
    accountId: uuid('account_id').references(() => accounts.id),
    /** Restricts delivery to one endpoint (`webhook.ping`). */
    onlyEndpointId: uuid('only_endpoint_id'),
    /** The CloudEvent, serialised once: the same bytes on every attempt and replay (contract/events#envelope). */
    body: text().notNull(),
    /** W3C trace context of what caused it, 55 characters; null without tracing. */
    traceparent: text(),
    createdAt: instant('created_at').notNull(),
    publishedAt: instant('published_at'),
    /** When the relay had made every delivery row; null is what the reconciler looks for. */
    fannedOutAt: instant('fanned_out_at'),
  },
  (table) => [
    index('events_unpublished').on(table.id).where(sql`${table.publishedAt} is null`),
    index('events_not_fanned_out').on(table.id).where(sql`${table.fannedOutAt} is null`),
    index('events_created').on(table.createdAt),
    check('events_body', sql`octet_length(${table.body}) <= 65536`),
  ],
);
