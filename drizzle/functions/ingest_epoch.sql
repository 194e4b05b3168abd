-- The name of the database and of its history to which the position of ingest belongs. It changes after a promotion,
-- in a restored database and in a copy.
CREATE OR REPLACE FUNCTION ingest_epoch() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT substr(md5(concat_ws('-', s.system_identifier, public.current_timeline(), d.oid, p.generation)), 1, 12)
  FROM public.ingest_position p CROSS JOIN pg_control_system() s
  CROSS JOIN (SELECT oid FROM pg_database WHERE datname = current_database()) d
$$;
GRANT EXECUTE ON FUNCTION ingest_epoch() TO launchwire_worker;
