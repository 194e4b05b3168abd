-- Every new event waits for the broker and for its deliveries. Each of no single endpoint is also in the log of streams, and
-- one of an intent twice: it is the intent's change of status too, and each message has a place of its own. Events of trades
-- are left out there: on streams they are the trades themselves.
CREATE OR REPLACE FUNCTION open_events() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  announced boolean := public.announce_stream_log();
BEGIN
  WITH to_publish AS (INSERT INTO public.events_to_publish (event_id) SELECT id FROM added),
    to_fan_out AS (INSERT INTO public.events_to_fan_out (event_id) SELECT id FROM added)
  INSERT INTO public.stream_log (kind, account_id, ref, at)
  SELECT unnest(CASE WHEN n.type LIKE 'build.service.transaction\_intent.%' THEN '{event,intent}'::text[] ELSE '{event}'::text[] END),
    n.account_id, n.id, clock_timestamp()
  FROM added n WHERE n.only_endpoint_id IS NULL
    AND n.type <> ALL ('{build.service.wallet.traded.v1,build.service.token.traded.v1}'::text[]);
  RETURN NULL;
END $$;
