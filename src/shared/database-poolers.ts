/** What may lie between a process and Postgres, as `DATABASE_POOLER` names it. */
export const databasePoolers = ['none', 'transaction', 'transaction-unprepared'] as const;
export type DatabasePooler = (typeof databasePoolers)[number];
