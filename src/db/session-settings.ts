import { type DatabaseLimits, databaseLimits } from './limits.ts';
import type { DatabaseRole } from './roles.ts';

/**
 * Without the value of its `limit`, the planner expects a page to be a tenth of its table and starts parallel
 * workers for a large one: a page of a million tokens took 3.5 ms with them and takes 0.35 without.
 */
const GENERIC_PLANS = { plan_cache_mode: 'force_generic_plan', max_parallel_workers_per_gather: '0' };

/** How statements of a pool are limited and planned; the fields are those of `DatabaseOptions`. */
interface StatementOptions {
  limits: DatabaseLimits;
  genericPlans: boolean;
  indexesOnly: boolean;
}

/** Settings of Postgres for the sessions of a pool, by name. */
export function settingsOf({ limits, genericPlans, indexesOnly }: StatementOptions): Record<string, string> {
  return {
    statement_timeout: String(limits.statementMs),
    lock_timeout: String(limits.lockMs),
    idle_in_transaction_session_timeout: String(limits.idleInTransactionMs),
    // Compiling a plan takes longer than any statement here.
    jit: 'off',
    // A value for solid-state disks. With the default of 4 the planner scans a table of a few hundred pages
    // for every batch of results (200 results took 10 to 17 ms instead of 6 to 8).
    random_page_cost: '1.1',
    ...(genericPlans ? GENERIC_PLANS : {}),
    ...(indexesOnly ? { enable_seqscan: 'off' } : {}),
  };
}

/** How the pools of the processes plan that may work through a pooler. */
export const pooledPlans = {
  launchwire_api: { genericPlans: true, indexesOnly: true },
  launchwire_internal: { genericPlans: false, indexesOnly: false },
} as const satisfies Partial<Record<DatabaseRole, Omit<StatementOptions, 'limits'>>>;
export type PooledRole = keyof typeof pooledPlans;

/**
 * The settings that these roles have in the database (drizzle/requirements.sql), for sessions that a
 * pooler opens: it passes on none of a client.
 */
export const roleSettings: Readonly<Record<PooledRole, Readonly<Record<string, string>>>> = {
  launchwire_api: settingsOf({ limits: databaseLimits.api, ...pooledPlans.launchwire_api }),
  launchwire_internal: settingsOf({ limits: databaseLimits.internal, ...pooledPlans.launchwire_internal }),
};
