-- The name of this history of the database. It changes after a promotion, in another cluster, and when ingest has
-- found that the database went back (decisions/0048). `migrate` finds a dump that was restored into the cluster from
-- which it came.
CREATE OR REPLACE FUNCTION database_history() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT concat_ws('.', s.system_identifier, public.current_timeline(), p.generation)
  FROM public.ingest_position p CROSS JOIN pg_control_system() s
$$;
GRANT EXECUTE ON FUNCTION database_history() TO launchwire_worker;
