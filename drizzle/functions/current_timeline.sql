-- The timeline that is written now. The control file names that of the last checkpoint, which is the old one for
-- minutes after a promotion. The function fails on a standby, as it must: locks of the primary cannot be seen there.
-- Functions with the rights of the owner call it.
CREATE OR REPLACE FUNCTION current_timeline() RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT ('x' || left(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_insert_lsn()), 8))::bit(32)::integer
$$;
