-- The place up to which the events are complete that the next statement reads.
CREATE OR REPLACE FUNCTION event_horizon() RETURNS xid8
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT (o.first_place + h.complete_through)::text::xid8 FROM public.event_order o CROSS JOIN public.commit_horizon() h
$$;
GRANT EXECUTE ON FUNCTION event_horizon() TO launchwire_api;
