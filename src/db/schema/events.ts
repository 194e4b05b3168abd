import { sql } from 'drizzle-orm';
import { boolean, check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { instant, transactionId } from './columns.ts';

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
    /**
     * The transaction that recorded it: readers follow events in this order and stop before the oldest transaction under
     * way, so none appears behind them (decisions/0036). 0 for events from before the column or another cluster.
     */
    recordedIn: transactionId('recorded_in').notNull().default(sql`pg_current_xact_id()`),
  },
  (table) => [
    index('events_unpublished').on(table.id).where(sql`${table.publishedAt} is null`),
    index('events_not_fanned_out').on(table.id).where(sql`${table.fannedOutAt} is null`),
    index('events_created').on(table.createdAt),
    // Type by type, merged: every list of events that a subscriber may ask for.
    index('events_public').on(table.type, table.recordedIn, table.id).where(sql`${table.accountId} is null`),
    index('events_account')
      .on(table.accountId, table.type, table.recordedIn, table.id)
      .where(sql`${table.accountId} is not null`),
    index('events_subject').on(table.subject, table.recordedIn, table.id),
    check('events_body', sql`octet_length(${table.body}) <= 65536`),
  ],
);

/** Where the order of events comes from: transaction ids of one cluster mean nothing in another (decisions/0036). */
export const eventOrder = pgTable(
  'event_order',
  {
    onlyRow: boolean('only_row').primaryKey().default(true),
    /** System identifier of the cluster whose transactions `events.recorded_in` names. */
    cluster: text().notNull(),
  },
  (table) => [check('event_order_only_row', sql`${table.onlyRow}`)],
);
