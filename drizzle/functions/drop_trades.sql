-- Drops the oldest bucket of trades, but for the last trades of each token that show a price or the liquidity (`kept_trades`): a
-- reversal of younger trades goes back to them, and a prediction round may settle by them. Those of all dropped buckets are together in
-- one partition below the floor, and no trade is stored there again.
CREATE OR REPLACE FUNCTION drop_trades(cutoff timestamptz) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  oldest record;
  floor_slot bigint;
  is_awaited boolean;
  kept text;
  kept_before text;
BEGIN
  SELECT bucket, name INTO oldest FROM public.partition_buckets('trades') ORDER BY bucket LIMIT 1;
  IF oldest.name IS NULL THEN
    RETURN NULL;
  END IF;
  -- Its readers go on; a late trade of it waits.
  EXECUTE format('LOCK TABLE public.%I IN SHARE MODE', oldest.name);
  floor_slot := (oldest.bucket + 1) * 10000000;
  -- Without these trades a queued pair would lose the late trade for which it waits. That takes minutes: a pair that still
  -- waits after a week is stuck, and the others must not wait for it.
  is_awaited := public.recounts_need_trades(floor_slot);
  IF NOT public.trades_expired(oldest.bucket, CASE WHEN is_awaited THEN cutoff - interval '7 days' ELSE cutoff END) THEN
    RETURN NULL;
  END IF;
  kept := format('trades_before_%sm', floor_slot / 1000000);
  SELECT relname INTO kept_before FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = 'public.trades'::regclass AND relname ~ '^trades_before_\d+m$';
  EXECUTE format('CREATE TABLE public.%I (LIKE public.trades INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES)', kept);
  EXECUTE format('INSERT INTO public.%I %s', kept, public.kept_trades(oldest.name, kept_before));
  LOCK TABLE public.trades IN ACCESS EXCLUSIVE MODE;
  -- Who stores trades has committed by now, and may have queued a pair since the first look.
  IF NOT is_awaited AND public.recounts_need_trades(floor_slot) THEN
    EXECUTE format('DROP TABLE public.%I', kept);
    RETURN NULL;
  END IF;
  IF kept_before IS NOT NULL THEN
    EXECUTE format('DROP TABLE public.%I', kept_before);
  END IF;
  EXECUTE format('DROP TABLE public.%I', oldest.name);
  EXECUTE format('ALTER TABLE public.trades ATTACH PARTITION public.%I FOR VALUES FROM (MINVALUE) TO (%L)', kept, floor_slot);
  INSERT INTO public.trade_floor (slot) VALUES (floor_slot) ON CONFLICT (only_row) DO UPDATE SET slot = excluded.slot;
  RETURN oldest.name;
END $$;
