/**
 * The role of each process, whatever user `DATABASE_URL` names; drizzle/0002_roles.sql, and 0020 for the
 * last, grant their rights.
 */
export const databaseRoles = [
  'launchwire_api',
  'launchwire_worker',
  'launchwire_relay',
  'launchwire_internal',
] as const;
export type DatabaseRole = (typeof databaseRoles)[number];
