-- Whether anything still needs rows of the partition: a broadcast, an event that waits to be published or sent, or a
-- delivery.
CREATE OR REPLACE FUNCTION partition_in_use(parent text, bucket bigint) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET enable_seqscan = off AS $$
DECLARE
  in_use boolean := false;
BEGIN
  IF parent = 'intent_sends' THEN
    -- Their records would come back with every further send.
    EXECUTE format('SELECT EXISTS (SELECT FROM public.intent_broadcasts WHERE intent_id >= %L AND intent_id < %L)',
      public.partition_bound(parent, bucket), public.partition_bound(parent, bucket + 1)) INTO in_use;
    RETURN in_use;
  END IF;
  IF parent = 'events' THEN
    EXECUTE format('SELECT EXISTS (SELECT FROM public.events_to_publish WHERE event_id >= %1$L AND event_id < %2$L)
      OR EXISTS (SELECT FROM public.events_to_fan_out WHERE event_id >= %1$L AND event_id < %2$L)',
      public.partition_bound(parent, bucket), public.partition_bound(parent, bucket + 1)) INTO in_use;
  END IF;
  IF NOT in_use THEN
    EXECUTE format('SELECT EXISTS (SELECT FROM public.webhook_deliveries WHERE %1$I >= %2$L AND %1$I < %3$L)',
      CASE parent WHEN 'events' THEN 'event_id' ELSE 'id' END,
      public.partition_bound(parent, bucket), public.partition_bound(parent, bucket + 1)) INTO in_use;
  END IF;
  RETURN in_use;
END $$;
