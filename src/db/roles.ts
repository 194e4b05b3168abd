/** What each process works as, whoever `DATABASE_URL` logs in; drizzle/0002_roles.sql, and 0020 for the last, say what each may do. */
export const databaseRoles = [
  'launchwire_api',
  'launchwire_worker',
  'launchwire_relay',
  'launchwire_internal',
] as const;
export type DatabaseRole = (typeof databaseRoles)[number];
