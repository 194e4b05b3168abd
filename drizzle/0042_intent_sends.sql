-- How the transaction of an intent was sent to each address (decisions/0064). Partitioned by week of the intent's UUIDv7: the id is in
-- every statement on this table. No foreign key: its check would lock each intent, and a record is no reason to keep one.
-- Expand only: the release before names none of this, and its worker makes no partition of this table.
CREATE TABLE "intent_sends" (
	"intent_id" uuid NOT NULL,
	"target" text NOT NULL,
	"first_sent_at" timestamp with time zone,
	"last_sent_at" timestamp with time zone,
	"first_slot" bigint,
	"send_count" integer NOT NULL,
	"taken_count" integer NOT NULL,
	"answer" text,
	"reason" text,
	CONSTRAINT "intent_sends_pk" PRIMARY KEY("intent_id","target"),
	CONSTRAINT "intent_sends_counts" CHECK ("intent_sends"."send_count" >= "intent_sends"."taken_count" and "intent_sends"."taken_count" >= 0),
	CONSTRAINT "intent_sends_sent" CHECK (("intent_sends"."send_count" > 0) = ("intent_sends"."first_sent_at" is not null and "intent_sends"."last_sent_at" is not null and "intent_sends"."answer" is not null))
) PARTITION BY RANGE ("intent_id");
--> statement-breakpoint
CREATE TABLE "intent_sends_default" PARTITION OF "intent_sends" DEFAULT;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE (answer, first_sent_at, first_slot, last_sent_at, reason, send_count, taken_count)
  ON intent_sends TO launchwire_api, launchwire_worker;
--> statement-breakpoint
-- The functions of 0004 with this table among theirs. A week is kept while an intent of it is still being sent.
CREATE OR REPLACE FUNCTION require_partitioned(parent text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF parent IS NULL OR parent <> ALL (ARRAY['events', 'webhook_attempts', 'trades', 'intent_sends']) THEN
    RAISE EXCEPTION 'no partitioned table is called %', parent USING ERRCODE = 'invalid_parameter_value';
  END IF;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION missing_partition(parent text, newest_slot bigint) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  this_week bigint := public.partition_week(clock_timestamp());
  wanted bigint[];
  newest record;
  has_rows boolean;
  stray bigint;
BEGIN
  IF parent = 'trades' THEN
    SELECT bucket, name INTO newest FROM public.partition_buckets('trades') ORDER BY bucket DESC LIMIT 1;
    IF newest.name IS NULL THEN
      wanted := ARRAY[0];
    ELSE
      EXECUTE format('SELECT EXISTS (SELECT FROM public.%I)', newest.name) INTO has_rows;
      IF has_rows THEN
        wanted := ARRAY[newest.bucket + 1];
      END IF;
    END IF;
    wanted := wanted || newest_slot / 10000000 || (newest_slot / 10000000 + 1);
    SELECT slot / 10000000 INTO stray FROM public.trades_default WHERE slot < 2000000000 LIMIT 1;
  ELSE
    wanted := ARRAY[this_week, this_week + 1, this_week + 2, this_week + 3];
    EXECUTE format('SELECT public.partition_week(to_timestamp((''x'' || left(replace(%1$I::text, ''-'', ''''), 12))::bit(48)::bigint / 1000.0))
        FROM public.%2$I WHERE %1$I >= %3$L AND %1$I < %4$L ORDER BY %1$I LIMIT 1',
      CASE parent WHEN 'events' THEN 'id' WHEN 'intent_sends' THEN 'intent_id' ELSE 'delivery_id' END, parent || '_default',
      public.partition_bound(parent, public.partition_week('2020-01-06Z')), public.partition_bound(parent, this_week + 9))
      INTO stray;
  END IF;
  RETURN (
    SELECT min(w) FROM unnest(wanted || stray) AS w
    WHERE w IS NOT NULL AND (parent <> 'trades' OR (w BETWEEN 0 AND 199
        AND w * 10000000 >= coalesce((SELECT slot FROM public.trade_floor), 0)))
      AND NOT EXISTS (SELECT FROM public.partition_buckets(parent) AS p WHERE p.bucket = w));
END $$;
--> statement-breakpoint
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
--> statement-breakpoint
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
    EXECUTE format('SELECT EXISTS (SELECT FROM public.%1$I WHERE published_at IS NULL)
      OR EXISTS (SELECT FROM public.%1$I WHERE fanned_out_at IS NULL)', public.partition_name(parent, bucket)) INTO in_use;
  END IF;
  IF NOT in_use THEN
    EXECUTE format('SELECT EXISTS (SELECT FROM public.webhook_deliveries WHERE %1$I >= %2$L AND %1$I < %3$L)',
      CASE parent WHEN 'events' THEN 'event_id' ELSE 'id' END,
      public.partition_bound(parent, bucket), public.partition_bound(parent, bucket + 1)) INTO in_use;
  END IF;
  RETURN in_use;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION default_partition_rows() RETURNS TABLE (parent text, row_count integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT 'events', count(*)::integer FROM (SELECT FROM public.events_default LIMIT 10000) AS e
  UNION ALL SELECT 'webhook_attempts', count(*)::integer FROM (SELECT FROM public.webhook_attempts_default LIMIT 10000) AS a
  UNION ALL SELECT 'trades', count(*)::integer FROM (SELECT FROM public.trades_default LIMIT 10000) AS t
  UNION ALL SELECT 'intent_sends', count(*)::integer FROM (SELECT FROM public.intent_sends_default LIMIT 10000) AS s;
$$;
