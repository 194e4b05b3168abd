-- Run with psql before a restore: makes the roles that the migrations grant rights to. A dump holds those rights and not the roles. Roles
-- belong to the server: one that has them already stays as it is. A test keeps the list to src/db/roles.ts.
SELECT format('CREATE ROLE %I NOLOGIN', role)
FROM unnest(ARRAY['launchwire_api', 'launchwire_worker', 'launchwire_relay', 'launchwire_internal']) AS role
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role)
\gexec
