-- Drops the oldest week that ended before `cutoff` and is not in use. A fan-out that reads an event holds a lock on the
-- parent until its deliveries are committed, so the look under the lock sees them.
CREATE OR REPLACE FUNCTION drop_week(parent text, cutoff timestamptz) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  oldest record;
BEGIN
  FOR oldest IN SELECT bucket, name FROM public.partition_buckets(parent) LOOP
    EXIT WHEN public.partition_week_start(oldest.bucket + 1) > cutoff;
    CONTINUE WHEN public.partition_in_use(parent, oldest.bucket);
    EXECUTE format('LOCK TABLE public.%I IN ACCESS EXCLUSIVE MODE', parent);
    IF public.partition_in_use(parent, oldest.bucket) THEN
      RETURN NULL;
    END IF;
    EXECUTE format('DROP TABLE public.%I', oldest.name);
    RETURN oldest.name;
  END LOOP;
  RETURN NULL;
END $$;
