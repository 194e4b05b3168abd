import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { pauseReasons } from '../../shared/webhooks/endpoint-record.ts';
import { deliveryStatuses, disabledReasons, endpointStatuses } from '../values/webhooks.ts';
import { accounts } from './accounts.ts';
import { bytea, instant, isOneOf, xid8 } from './columns.ts';

export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    url: text().notNull(),
    description: text(),
    /** Full event types, prefixes ending in `.*`, or `*`. */
    eventTypes: text('event_types').array().notNull(),
    /**
     * Mints and ids in lower case, at least one: only events of these subjects are sent. Null: all subjects.
     */
    subjects: text().array(),
    /**
     * Read scopes of the key that created it, limited to those that account events need
     * (contract/webhooks#event-scopes). Null: all, for endpoints older than the column.
     */
    eventScopes: text('event_scopes').array(),
    status: text({ enum: endpointStatuses }).notNull(),
    disabledReason: text('disabled_reason', { enum: disabledReasons }),
    /**
     * Sealed with the context `webhook-endpoint:<id>`. Empty: erased, for example with a deleted endpoint.
     */
    sealedSecret: bytea('sealed_secret').notNull(),
    secretRotatedAt: instant('secret_rotated_at').notNull(),
    /** Erased some minutes after it expires; the time of its expiry stays. */
    sealedPreviousSecret: bytea('sealed_previous_secret'),
    previousSecretExpiresAt: instant('previous_secret_expires_at'),
    version: integer().notNull(),
    /**
     * No attempt before this time: the subscriber responded with `Retry-After`
     * (contract/delivery#retry-after).
     */
    pausedUntil: instant('paused_until'),
    /**
     * The response that caused the pause. Meaningless once the pause is over; null: a relay of an earlier
     * release recorded it.
     */
    pauseReason: text('pause_reason', { enum: pauseReasons }),
    /**
     * Older attempts do not count towards `failingSince`: time of the creation, the last enabling or the last
     * new URL.
     */
    judgedFrom: instant('judged_from').notNull().defaultNow(),
    /**
     * Every attempt since then failed; null: the last one succeeded, or there was none. Relays write it when
     * it changes (contract/delivery#failing-endpoints).
     */
    failingSince: instant('failing_since'),
    /** The `failingSince` that `webhook_endpoint.failing` was sent for: a different one is a new failure. */
    failingAnnounced: instant('failing_announced'),
    /**
     * A deleted endpoint keeps its row, because its deliveries stay readable; the endpoint itself is 404 for
     * everyone.
     */
    deletedAt: instant('deleted_at'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    /**
     * The transaction of the last change, set by a trigger. A relay's copy of the endpoints lacks the changes
     * since the oldest transaction that ran when the copy was made. Null: unchanged since the column exists.
     */
    changedXid: xid8('changed_xid').default(sql`pg_current_xact_id()`),
  },
  (table) => [
    index('webhook_endpoints_changed').on(table.changedXid).where(sql`${table.changedXid} is not null`),
    index('webhook_endpoints_account').on(table.accountId, table.id).where(sql`${table.deletedAt} is null`),
    index('webhook_endpoints_enabled')
      .on(table.accountId, table.createdAt)
      .where(sql`${table.deletedAt} is null and ${table.status} = 'enabled'`),
    // Finds the endpoints of a type and a subject among any number of others: GIN does not find a null, so
    // `*` represents it. No pending list, because every search would read it.
    index('webhook_endpoints_subscribed')
      .using('gin', table.eventTypes, sql`(coalesce(${table.subjects}, '{*}'::text[]))`)
      .where(sql`${table.deletedAt} is null and ${table.status} = 'enabled'`)
      .with({ fastupdate: false }),
    index('webhook_endpoints_erasable').on(table.id).where(sql`${table.sealedPreviousSecret} is not null`),
    index('webhook_endpoints_inactive')
      .on(table.id)
      .where(sql`${table.status} = 'disabled' or ${table.deletedAt} is not null`),
    index('webhook_endpoints_failing').on(table.id).where(sql`${table.failingSince} is not null`),
    check('webhook_endpoints_status', isOneOf(table.status, endpointStatuses)),
    check('webhook_endpoints_pause_reason', isOneOf(table.pauseReason, pauseReasons)),
    check('webhook_endpoints_disabled_reason', isOneOf(table.disabledReason, disabledReasons)),
    check(
      'webhook_endpoints_disabled',
      sql`(${table.status} = 'disabled') = (${table.disabledReason} is not null)`,
    ),
    check('webhook_endpoints_subjects', sql`cardinality(${table.subjects}) between 1 and 100`),
    check('webhook_endpoints_version', sql`${table.version} > 0`),
    check(
      'webhook_endpoints_previous_secret',
      sql`${table.sealedPreviousSecret} is null or ${table.previousSecretExpiresAt} is not null`,
    ),
  ],
);

/**
 * The wallets and mints whose trades an endpoint gets (contract/webhooks#followed-trades). An endpoint that
 * also gets other events has the same list in its `subjects`.
 */
export const endpointSubjects = pgTable(
  'endpoint_subjects',
  {
    endpointId: uuid('endpoint_id')
      .notNull()
      .references(() => webhookEndpoints.id),
    subject: text().notNull(),
    /** Place in the list of the request. */
    position: integer().notNull(),
  },
  (table) => [
    primaryKey({ name: 'endpoint_subjects_pk', columns: [table.endpointId, table.subject] }),
    check('endpoint_subjects_position', sql`${table.position} between 0 and 999`),
  ],
);

/** One event for one endpoint. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: uuid().primaryKey(),
    endpointId: uuid('endpoint_id')
      .notNull()
      .references(() => webhookEndpoints.id),
    /**
     * No foreign key: events are dropped by partition, never before the last of their deliveries
     * (decisions/0019).
     */
    eventId: uuid('event_id').notNull(),
    eventType: text('event_type').notNull(),
    status: text({ enum: deliveryStatuses }).notNull(),
    /** All attempts so far. */
    attemptCount: integer('attempt_count').notNull().default(0),
    /** Attempts since creation or the last replay: the position in the retry schedule. */
    scheduleIndex: integer('schedule_index').notNull().default(0),
    replayCount: integer('replay_count').notNull().default(0),
    nextAttemptAt: instant('next_attempt_at'),
    leaseExpiresAt: instant('lease_expires_at'),
    lastErrorCode: text('last_error_code'),
    responseStatus: integer('response_status'),
    deliveredAt: instant('delivered_at'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    // The event first: rows of one event are neighbours, and the index also serves reads of an event's
    // deliveries.
    unique('webhook_deliveries_event').on(table.eventId, table.endpointId),
    // Serves the listing of all statuses as well, which merges them.
    index('webhook_deliveries_endpoint_status').on(
      table.endpointId,
      table.status,
      table.id.desc().nullsFirst(),
    ),
    // In the order of due times over all endpoints. Open deliveries have no lease, but only a query with that
    // condition can use this index: otherwise the planner walks through the backlog of all endpoints to find
    // the deliveries of one.
    index('webhook_deliveries_due')
      .on(table.nextAttemptAt)
      .where(sql`${table.status} in ('pending', 'retrying') and ${table.leaseExpiresAt} is null`),
    // The claimer steps from endpoint to endpoint here, so that a backlog slows no other endpoint down.
    index('webhook_deliveries_open')
      .on(table.endpointId, table.nextAttemptAt, table.id)
      .where(sql`${table.status} in ('pending', 'retrying')`),
    // Only for queries with a condition on leases: counting the leases of one endpoint would otherwise read
    // those of all.
    index('webhook_deliveries_leases')
      .on(table.leaseExpiresAt)
      .where(sql`${table.status} = 'processing' and ${table.leaseExpiresAt} is not null`),
    check('webhook_deliveries_status', isOneOf(table.status, deliveryStatuses)),
    check('webhook_deliveries_replays', sql`${table.replayCount} between 0 and 10`),
    check(
      'webhook_deliveries_due_time',
      sql`(${table.status} in ('pending', 'retrying')) = (${table.nextAttemptAt} is not null)`,
    ),
    check(
      'webhook_deliveries_lease',
      sql`(${table.status} = 'processing') = (${table.leaseExpiresAt} is not null)`,
    ),
  ],
);

/**
 * One HTTP attempt. `finished_at` stays null when the relay died during it: the outcome is unknown.
 * Partitioned by week of the delivery's UUIDv7, which drizzle does not know (drizzle/0000_baseline.sql).
 */
export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    /** The delivery exists when this is written; the attempt is kept longer. */
    deliveryId: uuid('delivery_id').notNull(),
    attemptNumber: integer('attempt_number').notNull(),
    startedAt: instant('started_at').notNull(),
    finishedAt: instant('finished_at'),
    succeeded: boolean(),
    errorCode: text('error_code'),
    /** The cause, for codes with several (src/shared/webhooks/attempt-reasons.ts). */
    errorReason: text('error_reason'),
    /** The reason in words, for operators; never in the public API. */
    errorDetail: text('error_detail'),
    responseStatus: integer('response_status'),
    resolvedAddress: text('resolved_address'),
    redirectCount: integer('redirect_count'),
    /**
     * Origin of the last request of a failed attempt, or of the request it could not make: without user, path
     * and query.
     */
    hopOrigin: text('hop_origin'),
    /** Milliseconds spent per phase; null when the phase was not reached (or the connection was reused). */
    dnsMs: integer('dns_ms'),
    connectMs: integer('connect_ms'),
    tlsMs: integer('tls_ms'),
    firstByteMs: integer('first_byte_ms'),
    totalMs: integer('total_ms'),
    /** First 1 KiB of the response. */
    responseBody: bytea('response_body'),
  },
  (table) => [
    primaryKey({ name: 'webhook_attempts_pk', columns: [table.deliveryId, table.attemptNumber] }),
    check('webhook_attempts_error_detail', sql`char_length(${table.errorDetail}) <= 500`),
  ],
);

/**
 * Events that a relay is sending before their delivery rows exist (decisions/0029). An entry stays until it
 * expires, even after its event is done: another relay whose snapshot is older than the mark must not take
 * the event. Unlogged, which drizzle does not know: losing the rows with the database causes only duplicates.
 */
export const eventLeases = pgTable(
  'event_leases',
  {
    eventId: uuid('event_id').primaryKey(),
    relayId: uuid('relay_id').notNull(),
    leaseExpiresAt: instant('lease_expires_at').notNull(),
  },
  (table) => [index('event_leases_expiry').on(table.leaseExpiresAt)],
);

/** The relays that share each endpoint's limit. */
export const relayMembers = pgTable('relay_members', {
  id: uuid().primaryKey(),
  /** The relays whose part of every limit this one leaves alone. */
  view: uuid().array().notNull(),
  beatAt: instant('beat_at').notNull(),
});
