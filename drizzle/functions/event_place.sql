-- The place of this transaction's events: one, given out after the transaction has announced itself.
CREATE OR REPLACE FUNCTION event_place() RETURNS xid8
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
GRANT EXECUTE ON FUNCTION event_place() TO launchwire_api, launchwire_worker, launchwire_relay, launchwire_internal;
