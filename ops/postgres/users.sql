-- Run by the owner after the migrations, with psql: creates or updates the login user of each process. Passwords come
-- from the environment. Each user is a member of its role and of nothing else.
\getenv api_password API_DATABASE_PASSWORD
\getenv worker_password WORKER_DATABASE_PASSWORD
\getenv relay_password RELAY_DATABASE_PASSWORD
-- Only where the internal API runs; without a password its user cannot log in.
\set internal_password ''
\getenv internal_password INTERNAL_DATABASE_PASSWORD

SELECT format('CREATE USER %I IN ROLE %I', process || '_login', process)
FROM unnest(ARRAY['launchwire_api', 'launchwire_worker', 'launchwire_relay', 'launchwire_internal']) AS process
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = process || '_login')
\gexec

-- A connection pooler passes on no settings of a client: its sessions have role, limits and plans by their user. The roles have them by
-- the migrations.
SELECT format('ALTER USER %I SET role = %L', process || '_login', process)
FROM unnest(ARRAY['launchwire_api', 'launchwire_internal']) AS process
\gexec
SELECT format('ALTER USER %I SET %I = %L', r.rolname || '_login', split_part(setting, '=', 1), substr(setting, strpos(setting, '=') + 1))
FROM pg_db_role_setting s JOIN pg_roles r ON r.oid = s.setrole, unnest(s.setconfig) AS setting
WHERE s.setdatabase = 0 AND r.rolname IN ('launchwire_api', 'launchwire_internal')
\gexec

-- The clear text of a password must not reach the server's log. An owner who is no superuser may not say so: there keep `log_statement`
-- at `none`, its default.
SELECT current_setting('is_superuser') AS is_superuser
\gset
\if :is_superuser
SET log_statement = 'none';
SET log_min_error_statement = 'panic';
\endif
ALTER USER launchwire_api_login PASSWORD :'api_password';
ALTER USER launchwire_worker_login PASSWORD :'worker_password';
ALTER USER launchwire_relay_login PASSWORD :'relay_password';
SELECT format('ALTER USER launchwire_internal_login PASSWORD %s', coalesce(quote_literal(nullif(:'internal_password', '')), 'NULL'))
\gexec
