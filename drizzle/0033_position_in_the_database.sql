-- Called by functions with the rights of the owner. The timeline that is written now. The control file names that of the last checkpoint, which is the old one for minutes after a
-- promotion. Fails on a standby, as a read of the log there must: locks of its primary cannot be seen.
CREATE FUNCTION current_timeline() RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT ('x' || left(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_insert_lsn()), 8))::bit(32)::integer
$$;
--> statement-breakpoint
-- As before, but for the epoch: another one from the moment of a promotion, and the same as before where none has been.
CREATE OR REPLACE FUNCTION read_stream_log(after_id bigint, page integer) RETURNS TABLE (
  complete_through bigint, given_out bigint, epoch text, deleted_through bigint, deleted_at timestamptz, proven_through timestamptz,
  id bigint, kind text, mint_address text, account_id uuid, ref uuid, slot bigint, through timestamptz,
  since timestamptz, at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  given_before bigint;
  given_after bigint;
  announced bigint[];
  horizon bigint;
BEGIN
  SELECT CASE WHEN is_called THEN last_value ELSE 0 END INTO given_before FROM public.stream_log_id_seq;
  SELECT array_agg(objid::bigint) INTO announced FROM pg_locks
    WHERE locktype = 'advisory' AND classid = 7201960 AND objsubid = 2 AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database());
  SELECT CASE WHEN is_called THEN last_value ELSE 0 END INTO given_after FROM public.stream_log_id_seq;
  SELECT least(given_before, min(given_after - ((given_after - low) & 2147483647))) INTO horizon
    FROM unnest(announced) AS low;
  RETURN QUERY
    SELECT horizon, given_after,
      substr(md5(concat_ws('-', s.system_identifier, public.current_timeline(), d.oid, 'public.stream_log'::regclass::oid)), 1, 12),
      p.deleted_through, p.deleted_at, p.proven_through,
      l.id, l.kind, l.mint_address, l.account_id, l.ref, l.slot, l.through, l.since, l.at
    FROM public.stream_progress p CROSS JOIN pg_control_system() s
    CROSS JOIN (SELECT oid FROM pg_database WHERE datname = current_database()) d
    LEFT JOIN LATERAL (SELECT * FROM public.stream_log
      WHERE stream_log.id > after_id AND stream_log.id <= horizon ORDER BY stream_log.id LIMIT page) l ON true
    ORDER BY l.id;
END $$;
--> statement-breakpoint
-- Up to which message of the ingest stream everything is in this database (decisions/0048). A row that the release before does
-- not know: its workers go on with the position that the broker keeps for them.
CREATE TABLE "ingest_position" (
	"only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"generation" text NOT NULL,
	"stream" text,
	"through" bigint DEFAULT 0 NOT NULL,
	"recorded_at" timestamp with time zone,
	CONSTRAINT "ingest_position_only_row" CHECK ("ingest_position"."only_row")
);
--> statement-breakpoint
INSERT INTO ingest_position (generation) VALUES (gen_random_uuid()::text);
--> statement-breakpoint
-- Of which history of which database the position is: another after a promotion, in a database that was restored, and in a copy.
CREATE FUNCTION ingest_epoch() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT substr(md5(concat_ws('-', s.system_identifier, public.current_timeline(), d.oid, p.generation)), 1, 12)
  FROM public.ingest_position p CROSS JOIN pg_control_system() s
  CROSS JOIN (SELECT oid FROM pg_database WHERE datname = current_database()) d
$$;
--> statement-breakpoint
GRANT SELECT, UPDATE (generation, stream, through, recorded_at) ON ingest_position TO launchwire_worker;
--> statement-breakpoint
-- A pool whose first trades were rolled back is read from its beginning again.
GRANT DELETE ON indexer_cursors TO launchwire_worker;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION ingest_epoch() TO launchwire_worker;
