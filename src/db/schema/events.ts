import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { instant, int64, xid8 } from './columns.ts';

/**
 * Events. A row never changes: what is left to do with one is in `eventsToPublish` and `eventsToFanOut`. Partitioned by
 * week of the id, which drizzle does not know (drizzle/0000_baseline.sql).
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
    /** W3C trace context of the cause, 55 characters; null without tracing. */
    traceparent: text(),
    createdAt: instant('created_at').notNull(),
    /**
     * The place of the recording transaction. Readers follow events in this order as far as it is complete
     * (`event_horizon`, decisions/0058). Older events have the number of their transaction, or 0.
     */
    recordedIn: xid8('recorded_in').notNull().default(sql`event_place()`),
  },
  (table) => [
    // Serves every list of events that a subscriber may request: type by type, merged.
    index('events_public').on(table.type, table.recordedIn, table.id).where(sql`${table.accountId} is null`),
    index('events_account')
      .on(table.accountId, table.type, table.recordedIn, table.id)
      .where(sql`${table.accountId} is not null`),
    index('events_subject').on(table.subject, table.recordedIn, table.id),
    check('events_body', sql`octet_length(${table.body}) <= 65536`),
  ],
);

/** Events that the broker has not acknowledged. A trigger adds every new event (`open_events`). */
export const eventsToPublish = pgTable('events_to_publish', { eventId: uuid('event_id').primaryKey() });

/** Events of which not every delivery has a row. A trigger adds every new event (`open_events`). */
export const eventsToFanOut = pgTable('events_to_fan_out', { eventId: uuid('event_id').primaryKey() });

/** The start of the places of new events: above all others, even after a restore (decisions/0058). */
export const eventOrder = pgTable(
  'event_order',
  {
    onlyRow: boolean('only_row').primaryKey().default(true),
    /** Cluster, database and table that assigned the newest places (`events_origin`). */
    origin: text().notNull().default(''),
    /** Added to a position in the sequence of the log of streams. */
    firstPlace: int64('first_place').notNull().default(sql`281474976710656`),
    /** The timeline in the epoch of the log: that of the migration, whatever is promoted later (decisions/0067). */
    epochTimeline: integer('epoch_timeline').notNull().default(1),
  },
  (table) => [check('event_order_only_row', sql`${table.onlyRow}`)],
);
