/** The role of each process, whatever user `DATABASE_URL` names. `drizzle/requirements.sql` makes them, migrations grant their rights. */
export const databaseRoles = [
  'launchwire_api',
  'launchwire_worker',
  'launchwire_relay',
  'launchwire_internal',
] as const;
export type DatabaseRole = (typeof databaseRoles)[number];
