-- Drops one expired partition and returns its name; null when there is none that may go, or another process is at it.
-- Old is what both clocks, the caller's and this server's, call old, so that neither of them alone can lose anything.
-- It waits 100 ms for its locks and then fails with `lock_not_available`: behind a waiting lock every statement waits.
CREATE OR REPLACE FUNCTION drop_next_partition(parent text, at timestamptz, keep_days integer) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '100ms' AS $$
DECLARE
  least_days integer := CASE parent WHEN 'trades' THEN 30 ELSE 8 END;
  cutoff timestamptz := least(at, clock_timestamp()) - make_interval(days => keep_days);
BEGIN
  PERFORM public.require_partitioned(parent);
  IF keep_days IS NULL OR keep_days < least_days OR at IS NULL THEN
    RAISE EXCEPTION '% are kept for at least % days', parent, least_days USING ERRCODE = 'invalid_parameter_value';
  END IF;
  IF NOT pg_try_advisory_xact_lock(7201957) THEN
    RETURN NULL;
  END IF;
  RETURN CASE parent WHEN 'trades' THEN public.drop_trades(cutoff) ELSE public.drop_week(parent, cutoff) END;
END $$;
GRANT EXECUTE ON FUNCTION drop_next_partition(text, timestamp with time zone, integer) TO launchwire_worker;
