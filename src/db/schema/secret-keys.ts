import { sql } from 'drizzle-orm';
import { boolean, check, pgTable } from 'drizzle-orm/pg-core';
import { bytea } from './columns.ts';

/** The keys of started processes, each as a derived value that opens nothing (decisions/0053). */
export const secretKeys = pgTable(
  'secret_keys',
  {
    keyCheck: bytea('key_check').primaryKey(),
    /** Secrets are sealed under it, or a running process seals under it. */
    isSealing: boolean('is_sealing').notNull(),
    /** A relay was started with it, as `SECRET_KEY` or in `SECRET_KEY_PREVIOUS`. */
    isKnownToRelay: boolean('is_known_to_relay').notNull(),
  },
  (table) => [check('secret_keys_key_check', sql`octet_length(${table.keyCheck}) = 32`)],
);
