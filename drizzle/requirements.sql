-- What migrations and functions expect. Run before them, as often as there are some.
--
-- Each process works as a role of its own that may do what its statements need and nothing else (decision 0016). Roles belong to the
-- cluster: another database may have made them, or make them at this very moment.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['launchwire_api', 'launchwire_worker', 'launchwire_relay', 'launchwire_internal'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN', name);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN
        NULL;
      END;
    END IF;
  END LOOP;
END $$;
-- Before the extension: its functions are open to nobody either.
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;

-- A trusted extension: who owns the database may create it. Where a provider gives that right to nobody, it is created beforehand.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported THEN
  RAISE EXCEPTION 'the extension pg_trgm cannot be created here: %', SQLERRM
    USING HINT = 'Let an administrator of the server run: CREATE EXTENSION pg_trgm WITH SCHEMA public';
END $$;
-- Loads its library: only then may anybody but a superuser make a function that sets a parameter of it.
SELECT similarity('a', 'b');

-- Limits and plans of api and internal as settings of their roles (decisions/0069). A connection pooler that shares sessions passes on
-- none of a client: its sessions have these by their user, which is the role itself or a login with a copy (ops/postgres/users.sql).
-- Other sessions are opened with the same values and do not notice. A test keeps them to src/db/session-settings.ts.
--
-- Another database may set them at this very moment, which fails here once it has. A user who may not change the roles leaves them as
-- they are, and `doctor` says so where a pooler is used.
DO $$
DECLARE
  wanted record;
BEGIN
  FOR wanted IN
    SELECT role, name, value FROM unnest(ARRAY['launchwire_api', 'launchwire_internal']) AS role
    CROSS JOIN (VALUES ('statement_timeout', '10000'), ('lock_timeout', '5000'), ('idle_in_transaction_session_timeout', '15000'),
      ('jit', 'off'), ('random_page_cost', '1.1')) AS both_roles (name, value)
    UNION ALL
    SELECT 'launchwire_api', name, value FROM (VALUES ('plan_cache_mode', 'force_generic_plan'),
      ('max_parallel_workers_per_gather', '0'), ('enable_seqscan', 'off')) AS api (name, value)
  LOOP
    FOR tries IN 1..20 LOOP
      EXIT WHEN EXISTS (
        SELECT FROM pg_db_role_setting s JOIN pg_roles r ON r.oid = s.setrole
        WHERE s.setdatabase = 0 AND r.rolname = wanted.role AND wanted.name || '=' || wanted.value = ANY (s.setconfig));
      BEGIN
        EXECUTE format('ALTER ROLE %I SET %I = %L', wanted.role, wanted.name, wanted.value);
      EXCEPTION
        WHEN insufficient_privilege THEN
          RAISE NOTICE 'the settings of % were left as they are', wanted.role;
          EXIT;
        WHEN internal_error OR unique_violation THEN
          NULL;
      END;
    END LOOP;
  END LOOP;
END $$;
