-- Events and the log of streams are complete up to one horizon, that of transactions which have announced themselves
-- (decisions/0058). Expand only: the release before names none of this, its events get the new default, and its list of events
-- shows nothing recorded from here on until it is replaced.
CREATE FUNCTION commit_horizon(OUT complete_through bigint, OUT given_out bigint)
LANGUAGE plpgsql AS $$
DECLARE
  given_before bigint := coalesce(pg_catalog.pg_sequence_last_value('public.stream_log_id_seq'), 0);
  announced bigint[];
BEGIN
  -- The order of these looks is what makes it right: the places given out, then who may still write, then (by the caller) the rows.
  SELECT array_agg(objid::bigint) INTO announced FROM pg_catalog.pg_locks
    WHERE locktype = 'advisory' AND classid = 7201960 AND objsubid = 2 AND granted
      AND database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database());
  given_out := coalesce(pg_catalog.pg_sequence_last_value('public.stream_log_id_seq'), 0);
  complete_through := least(given_before,
    (SELECT min(given_out - ((given_out - low) & 2147483647)) FROM unnest(announced) AS low));
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION read_stream_log(after_id bigint, page integer) RETURNS TABLE (
  complete_through bigint, given_out bigint, epoch text, deleted_through bigint, deleted_at timestamptz, proven_through timestamptz,
  id bigint, kind text, mint_address text, account_id uuid, ref uuid, slot bigint, through timestamptz,
  since timestamptz, at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  horizon record := public.commit_horizon();
BEGIN
  RETURN QUERY
    SELECT horizon.complete_through, horizon.given_out,
      substr(md5(concat_ws('-', s.system_identifier, public.current_timeline(), d.oid, 'public.stream_log'::regclass::oid)), 1, 12),
      p.deleted_through, p.deleted_at, p.proven_through,
      l.id, l.kind, l.mint_address, l.account_id, l.ref, l.slot, l.through, l.since, l.at
    FROM public.stream_progress p CROSS JOIN pg_control_system() s
    CROSS JOIN (SELECT oid FROM pg_database WHERE datname = current_database()) d
    LEFT JOIN LATERAL (SELECT * FROM public.stream_log
      WHERE stream_log.id > after_id AND stream_log.id <= horizon.complete_through ORDER BY stream_log.id LIMIT page) l ON true
    ORDER BY l.id;
END $$;
--> statement-breakpoint
-- Which events table of which database of which cluster this is: another one after a restore, and in a copy.
CREATE FUNCTION events_origin() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT concat_ws('.', s.system_identifier, d.oid, 'public.events'::regclass::oid)
  FROM pg_catalog.pg_control_system() s CROSS JOIN pg_catalog.pg_database d WHERE d.datname = current_database()
$$;
--> statement-breakpoint
-- Places of events begin here: above every transaction, whose numbers they were until now, and in steps for what is restored.
ALTER TABLE "event_order" ADD COLUMN "origin" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "event_order" ADD COLUMN "first_place" bigint DEFAULT 281474976710656 NOT NULL;--> statement-breakpoint
-- Restored from another cluster, and not migrated by the release before.
UPDATE events SET recorded_in = '0' WHERE recorded_in <> '0' AND EXISTS (
  SELECT FROM event_order CROSS JOIN pg_control_system() s WHERE cluster <> s.system_identifier::text);
--> statement-breakpoint
INSERT INTO event_order (cluster, origin) SELECT system_identifier::text, events_origin() FROM pg_control_system()
  ON CONFLICT (only_row) DO UPDATE SET cluster = excluded.cluster, origin = excluded.origin;
--> statement-breakpoint
-- The place of this transaction's events: one, given out after the transaction has announced itself.
CREATE FUNCTION event_place() RETURNS xid8
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  place text := current_setting('launchwire.event_place', true);
  announced boolean;
BEGIN
  IF place IS NULL OR place = '' THEN
    announced := public.announce_stream_log();
    place := ((SELECT first_place FROM public.event_order) + nextval('public.stream_log_id_seq'))::text;
    place := set_config('launchwire.event_place', place, true);
  END IF;
  RETURN place::xid8;
END $$;
--> statement-breakpoint
-- Up to which place the events of a statement that comes next are complete.
CREATE FUNCTION event_horizon() RETURNS xid8
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT (o.first_place + h.complete_through)::text::xid8 FROM public.event_order o CROSS JOIN public.commit_horizon() h
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION commit_horizon(), events_origin(), event_place(), event_horizon() FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION event_place() TO launchwire_api, launchwire_worker, launchwire_relay, launchwire_internal;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION event_horizon() TO launchwire_api;
--> statement-breakpoint
-- Waits for every transaction that has recorded events: their numbers are all below the first place.
ALTER TABLE "events" ALTER COLUMN "recorded_in" SET DEFAULT event_place();
