-- The name of this events table, in this database of this cluster. It changes after a restore and in a copy.
CREATE OR REPLACE FUNCTION events_origin() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT concat_ws('.', s.system_identifier, d.oid, 'public.events'::regclass::oid)
  FROM pg_catalog.pg_control_system() s CROSS JOIN pg_catalog.pg_database d WHERE d.datname = current_database()
$$;
