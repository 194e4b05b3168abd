-- Deletes the oldest events of trades below `before`, a UUIDv7, that no delivery still needs, with their deliveries. Returns how many.
CREATE OR REPLACE FUNCTION delete_trade_events(before uuid, page integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  ids uuid[];
BEGIN
  IF to_timestamp(('x' || left(replace(before::text, '-', ''), 12))::bit(48)::bigint / 1000.0) > clock_timestamp() - interval '7 days' THEN
    RAISE EXCEPTION 'events of trades are kept for at least 7 days' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  SELECT array_agg(found.id) INTO ids
  FROM unnest('{build.service.wallet.traded.v1,build.service.token.traded.v1}'::text[]) AS traded (type)
  CROSS JOIN LATERAL (
    SELECT e.id FROM public.events e
    WHERE e.account_id IS NULL AND e.type = traded.type AND e.id < before
      AND NOT EXISTS (SELECT FROM public.events_to_publish p WHERE p.event_id = e.id)
      AND NOT EXISTS (SELECT FROM public.events_to_fan_out f WHERE f.event_id = e.id)
      AND NOT EXISTS (SELECT FROM public.webhook_deliveries d
        WHERE d.event_id = e.id AND d.status IN ('pending', 'processing', 'retrying'))
    ORDER BY e.recorded_in, e.id LIMIT page) AS found;
  -- A replay that comes meanwhile keeps its delivery, and so its event.
  DELETE FROM public.webhook_deliveries
  WHERE event_id = ANY (ids) AND status NOT IN ('pending', 'processing', 'retrying');
  DELETE FROM public.events e
  WHERE e.id = ANY (ids) AND NOT EXISTS (SELECT FROM public.webhook_deliveries d WHERE d.event_id = e.id);
  RETURN coalesce(cardinality(ids), 0);
END $$;
GRANT EXECUTE ON FUNCTION delete_trade_events(uuid, integer) TO launchwire_worker;
