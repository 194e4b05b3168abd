-- The tables whose partitions these functions make and drop.
CREATE OR REPLACE FUNCTION require_partitioned(parent text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF parent IS NULL OR parent <> ALL (ARRAY['events', 'webhook_attempts', 'trades', 'intent_sends']) THEN
    RAISE EXCEPTION 'no partitioned table is called %', parent USING ERRCODE = 'invalid_parameter_value';
  END IF;
END $$;
