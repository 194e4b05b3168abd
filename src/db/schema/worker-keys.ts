import { sql } from 'drizzle-orm';
import { check, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { workerKeyPurposes } from '../values/worker-keys.ts';
import { bytea, instant, isOneOf } from './columns.ts';

/** The keys of running workers, each as a derived value that opens nothing (decisions/0101). */
export const workerKeys = pgTable(
  'worker_keys',
  {
    purpose: text({ enum: workerKeyPurposes }).notNull(),
    keyCheck: bytea('key_check').notNull(),
    /** When a worker that has the key ran last. */
    seenAt: instant('seen_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.purpose, table.keyCheck] }),
    check('worker_keys_purpose', isOneOf(table.purpose, workerKeyPurposes)),
    check('worker_keys_key_check', sql`octet_length(${table.keyCheck}) = 32`),
  ],
);
