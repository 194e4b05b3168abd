import { sql } from 'drizzle-orm';
import { check, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytea, instant, isOneOf } from './columns.ts';

/** What a worker does with a key that the api has too: it opens signed orders, or signs links to results. */
export const workerKeyPurposes = ['orders', 'result_links'] as const;

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
