CREATE OR REPLACE FUNCTION make_next_partition(parent text, newest_slot bigint DEFAULT NULL) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '100ms' AS $$
DECLARE
  key text := CASE parent WHEN 'events' THEN 'id' WHEN 'trades' THEN 'slot' WHEN 'intent_sends' THEN 'intent_id' ELSE 'delivery_id' END;
  bucket bigint;
  name text;
  low text;
  high text;
BEGIN
  PERFORM public.require_partitioned(parent);
  IF NOT pg_try_advisory_xact_lock(7201957) THEN
    RETURN NULL;
  END IF;
  bucket := public.missing_partition(parent, newest_slot);
  IF bucket IS NULL THEN
    RETURN NULL;
  END IF;
  name := public.partition_name(parent, bucket);
  low := public.partition_bound(parent, bucket);
  high := public.partition_bound(parent, bucket + 1);
  EXECUTE format('CREATE TABLE public.%I (LIKE public.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', name, parent);
  EXECUTE format('LOCK TABLE public.%I IN ACCESS EXCLUSIVE MODE', parent || '_default');
  EXECUTE format('WITH moved AS (DELETE FROM public.%I WHERE %I >= %L AND %I < %L RETURNING *)
      INSERT INTO public.%I SELECT * FROM moved', parent || '_default', key, low, key, high, name);
  EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)', parent, name, low, high);
  RETURN name;
END $$;
GRANT EXECUTE ON FUNCTION make_next_partition(text, bigint) TO launchwire_worker;
