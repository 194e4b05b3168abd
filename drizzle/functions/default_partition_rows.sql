-- How many rows have no partition of their own, up to 10,000 for each table.
CREATE OR REPLACE FUNCTION default_partition_rows() RETURNS TABLE (parent text, row_count integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT 'events', count(*)::integer FROM (SELECT FROM public.events_default LIMIT 10000) AS e
  UNION ALL SELECT 'webhook_attempts', count(*)::integer FROM (SELECT FROM public.webhook_attempts_default LIMIT 10000) AS a
  UNION ALL SELECT 'trades', count(*)::integer FROM (SELECT FROM public.trades_default LIMIT 10000) AS t
  UNION ALL SELECT 'intent_sends', count(*)::integer FROM (SELECT FROM public.intent_sends_default LIMIT 10000) AS s;
$$;
GRANT EXECUTE ON FUNCTION default_partition_rows() TO launchwire_worker;
