import { sql } from 'drizzle-orm';
import {
  bigserial,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { operationStatuses } from '../values/operations.ts';
import { accounts } from './accounts.ts';
import { bytea, decimal, instant, int64, isOneOf } from './columns.ts';

/** Long-running work of an account. Admin commands drive kinds without a runner. */
export const operations = pgTable(
  'operations',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id),
    kind: text().notNull(),
    status: text({ enum: operationStatuses }).notNull(),
    /** Parameters of the kind; checked when the operation is created. */
    input: jsonb().notNull(),
    progressCompleted: int64('progress_completed'),
    progressTotal: int64('progress_total'),
    progressUnit: text('progress_unit'),
    createdAt: instant('created_at').notNull(),
    startedAt: instant('started_at'),
    completedAt: instant('completed_at'),
    /** The runner stops at its next step. */
    cancelRequestedAt: instant('cancel_requested_at'),
    /**
     * Earliest time at which a runner may take it: immediately when queued, at the end of the lease while a
     * runner works on it, after a pause when a dependency was unavailable. Null: no runner knows the kind, or
     * it has ended.
     */
    dueAt: instant('due_at'),
    /**
     * Lease of the runner: a claim changes the token, so that a runner that lost its lease cannot write any
     * more.
     */
    leaseToken: uuid('lease_token'),
    /**
     * Claims since the last checkpoint that ended without a result: work that repeatedly kills its process
     * fails.
     */
    claimCount: integer('claim_count').notNull().default(0),
    /** Consecutive runs that ended because of a dependency. */
    failureCount: integer('failure_count').notNull().default(0),
    /** State from which a crashed run continues; each kind has its own form. */
    checkpoint: jsonb(),
    /** A result on another server; results of our kinds are in `operation_results`. */
    resultUrl: text('result_url'),
    errorCode: text('error_code'),
    errorDetail: text('error_detail'),
    /** `req_…` of the failure (contract/operations#operation). */
    errorRequestId: text('error_request_id'),
  },
  (table) => [
    // Serves every list of an account's operations: kind by kind and status by status, merged.
    index('operations_account_kind').on(table.accountId, table.kind, table.status, table.id),
    index('operations_due').on(table.dueAt).where(sql`${table.dueAt} is not null`),
    check('operations_status', isOneOf(table.status, operationStatuses)),
    check('operations_kind', sql`${table.kind} ~ '^[a-z][a-z0-9_]{0,63}$'`),
    check(
      'operations_progress',
      sql`(${table.progressCompleted} is null) = (${table.progressTotal} is null)
        and (${table.progressCompleted} is null
          or (${table.progressCompleted} >= 0 and ${table.progressTotal} >= ${table.progressCompleted}))`,
    ),
    check(
      'operations_completed',
      sql`(${table.status} in ('succeeded', 'failed', 'cancelled')) = (${table.completedAt} is not null)`,
    ),
    check('operations_started', sql`${table.status} <> 'running' or ${table.startedAt} is not null`),
    check('operations_error', sql`(${table.status} = 'failed') = (${table.errorCode} is not null)`),
    check('operations_lease', sql`${table.leaseToken} is null or ${table.dueAt} is not null`),
    check('operations_due_while_open', sql`${table.dueAt} is null or ${table.completedAt} is null`),
    check('operations_result_url', sql`${table.resultUrl} is null or ${table.status} = 'succeeded'`),
  ],
);

/** A file that an operation produced, served to its owner until it expires. */
export const operationResults = pgTable(
  'operation_results',
  {
    operationId: uuid('operation_id')
      .primaryKey()
      .references(() => operations.id),
    contentType: text('content_type').notNull(),
    fileName: text('file_name').notNull(),
    byteLength: int64('byte_length').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('operation_results_expiry').on(table.expiresAt)],
);

/** Its bytes in order, in pieces small enough to stream. */
export const operationResultChunks = pgTable(
  'operation_result_chunks',
  {
    operationId: uuid('operation_id')
      .notNull()
      .references(() => operations.id),
    ordinal: integer().notNull(),
    content: bytea().notNull(),
  },
  (table) => [
    primaryKey({ name: 'operation_result_chunks_pk', columns: [table.operationId, table.ordinal] }),
    check('operation_result_chunks_content', sql`octet_length(${table.content}) between 1 and 262144`),
  ],
);

/** Token accounts that an audience export has read from a node, until they are added up by wallet. */
export const operationTokenAccounts = pgTable(
  'operation_token_accounts',
  {
    ordinal: bigserial({ mode: 'bigint' }).primaryKey(),
    operationId: uuid('operation_id')
      .notNull()
      .references(() => operations.id),
    walletAddress: text('wallet_address').notNull(),
    /** Up to 2^64 - 1: more than int8 holds. */
    amountRaw: decimal('amount_raw').notNull(),
  },
  (table) => [index('operation_token_accounts_operation').on(table.operationId)],
);

/** Wallets of an audience export by rank, until they are written to its file. */
export const operationHolders = pgTable(
  'operation_holders',
  {
    operationId: uuid('operation_id')
      .notNull()
      .references(() => operations.id),
    /** From 1: largest balance first, equal ones by address. */
    rank: int64('rank').notNull(),
    walletAddress: text('wallet_address').notNull(),
    balanceRaw: decimal('balance_raw').notNull(),
  },
  (table) => [primaryKey({ name: 'operation_holders_pk', columns: [table.operationId, table.rank] })],
);
