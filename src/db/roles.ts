/** What each process works as, whoever `DATABASE_URL` logs in; drizzle/0002_roles.sql says what each may do. */
export const databaseRoles = ['launchwire_api', 'launchwire_worker', 'launchwire_relay'] as const;
export type DatabaseRole = (typeof databaseRoles)[number];
