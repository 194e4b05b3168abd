-- Triggers of the log with fewer statements: in plpgsql an assignment or a condition only evaluates, while PERFORM and SELECT INTO
-- start and end a statement each, as expensive as the row itself. What they write is what 0023 wrote.
--
-- Who writes here is its triggers alone, so the list of kinds is theirs; parsing the check cost each statement 8 µs.
ALTER TABLE "stream_log" DROP CONSTRAINT "stream_log_kind";--> statement-breakpoint
-- Called by the triggers only, with their rights and search path. Returns true.
DROP FUNCTION announce_stream_log();
--> statement-breakpoint
CREATE FUNCTION announce_stream_log() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  given_out bigint;
BEGIN
  IF current_setting('launchwire.stream_log', true) = 'announced' THEN
    RETURN true;
  END IF;
  given_out := coalesce(pg_sequence_last_value('public.stream_log_id_seq'), 0);
  -- A condition to call it: it returns nothing, and always.
  IF pg_advisory_xact_lock_shared(7201960, (given_out & 2147483647)::integer) IS NULL
    OR set_config('launchwire.stream_log', 'announced', true) IS NULL
    -- A reader must not see what a crash of the server could take back.
    OR (current_setting('synchronous_commit') = 'off' AND set_config('synchronous_commit', 'on', true) IS NULL) THEN
    RAISE EXCEPTION 'the log of streams could not be announced';
  END IF;
  RETURN true;
END $$;
--> statement-breakpoint
-- Announcing without writing is harmless, and cheaper than asking first whether there is anything to write.
CREATE OR REPLACE FUNCTION log_trades() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  announced boolean := public.announce_stream_log();
BEGIN
  INSERT INTO public.stream_log (kind, mint_address, ref, slot, through, at)
  SELECT CASE TG_OP WHEN 'INSERT' THEN 'trade' ELSE 'trade_reverted' END, mint_address, id, slot, block_time, clock_timestamp()
  FROM changed ORDER BY slot, transaction_index, outer_index, inner_index;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION log_markets() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  mints text[];
  announced boolean;
BEGIN
  SELECT array_agg(n.mint_address) INTO mints FROM added n JOIN removed o USING (mint_address)
  WHERE (n.price_in_sol, n.liquidity_in_sol, n.sol_collected_in_sol, n.holder_count)
    IS DISTINCT FROM (o.price_in_sol, o.liquidity_in_sol, o.sol_collected_in_sol, o.holder_count);
  IF mints IS NOT NULL THEN
    announced := public.announce_stream_log();
    INSERT INTO public.stream_log (kind, mint_address, at) SELECT 'market', unnest(mints), clock_timestamp();
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION log_tokens() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  mints text[];
  announced boolean;
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(n.mint_address) INTO mints FROM added n;
  ELSE
    SELECT array_agg(n.mint_address) INTO mints FROM added n JOIN removed o USING (mint_address)
    WHERE (n.creator_wallet, n.name, n.symbol, n.description, n.image_url, n.decimals, n.total_supply, n.launch_type,
        n.status, n.launched_at, n.graduated_at, n.telegram, n.twitter, n.website, n.hidden)
      IS DISTINCT FROM (o.creator_wallet, o.name, o.symbol, o.description, o.image_url, o.decimals, o.total_supply,
        o.launch_type, o.status, o.launched_at, o.graduated_at, o.telegram, o.twitter, o.website, o.hidden);
  END IF;
  IF mints IS NOT NULL THEN
    announced := public.announce_stream_log();
    INSERT INTO public.stream_log (kind, mint_address, at) SELECT 'token', unnest(mints), clock_timestamp();
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- A row a minute and token, which is when candles may close. The one row of progress is left alone while another writes it.
CREATE OR REPLACE FUNCTION log_proofs() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  latest timestamptz;
  announced boolean;
BEGIN
  SELECT max(n.through) INTO latest FROM added n;
  IF latest IS NULL THEN
    RETURN NULL;
  END IF;
  UPDATE public.stream_progress SET proven_through = latest
  WHERE ctid = (SELECT ctid FROM public.stream_progress
    WHERE proven_through IS NULL OR proven_through < latest FOR NO KEY UPDATE SKIP LOCKED);
  IF TG_OP = 'INSERT' THEN
    announced := public.announce_stream_log();
    INSERT INTO public.stream_log (kind, mint_address, through, at)
    SELECT 'proven', mint_address, through, clock_timestamp() FROM added;
  ELSIF EXISTS (SELECT FROM added n JOIN removed o USING (mint_address)
      WHERE date_trunc('minute', n.through) > date_trunc('minute', o.through)) THEN
    announced := public.announce_stream_log();
    INSERT INTO public.stream_log (kind, mint_address, through, since, at)
    SELECT 'proven', n.mint_address, n.through, o.through, clock_timestamp()
    FROM added n JOIN removed o USING (mint_address)
    WHERE date_trunc('minute', n.through) > date_trunc('minute', o.through);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- An event of an intent is the intent's change of status too: two rows, so that each message has a place of its own.
CREATE OR REPLACE FUNCTION log_events() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  announced boolean := public.announce_stream_log();
BEGIN
  INSERT INTO public.stream_log (kind, account_id, ref, at)
  SELECT unnest(CASE WHEN n.type LIKE 'build.service.transaction\_intent.%' THEN '{event,intent}'::text[] ELSE '{event}'::text[] END),
    n.account_id, n.id, clock_timestamp()
  FROM added n WHERE n.only_endpoint_id IS NULL;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION log_operations() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  announced boolean;
BEGIN
  IF TG_OP = 'INSERT' THEN
    announced := public.announce_stream_log();
    INSERT INTO public.stream_log (kind, account_id, ref, at)
    SELECT 'operation', account_id, id, clock_timestamp() FROM added;
  ELSIF EXISTS (SELECT FROM added n JOIN removed o USING (id)
      WHERE (n.status, n.progress_completed, n.progress_total, n.progress_unit)
        IS DISTINCT FROM (o.status, o.progress_completed, o.progress_total, o.progress_unit)) THEN
    announced := public.announce_stream_log();
    INSERT INTO public.stream_log (kind, account_id, ref, at)
    SELECT 'operation', n.account_id, n.id, clock_timestamp() FROM added n JOIN removed o USING (id)
    WHERE (n.status, n.progress_completed, n.progress_total, n.progress_unit)
      IS DISTINCT FROM (o.status, o.progress_completed, o.progress_total, o.progress_unit);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- A claim is no change that anybody waits for; a lease neither. Deliveries are many: only those of accounts that follow them
-- are logged, and where nobody does, a statement costs one look. Who begins to follow takes the lock alone, and so waits for
-- transactions that have looked before.
CREATE OR REPLACE FUNCTION log_deliveries() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  followers uuid[];
  ids uuid[];
  accounts uuid[];
  announced boolean;
BEGIN
  -- A condition to call it: it returns nothing, and always. The look that follows has a snapshot of after it.
  IF pg_advisory_xact_lock_shared(7201962, 0) IS NULL THEN
    RETURN NULL;
  END IF;
  SELECT array_agg(account_id) INTO followers FROM public.stream_followers WHERE until > clock_timestamp();
  IF followers IS NULL THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(n.id), array_agg(e.account_id) INTO ids, accounts
    FROM added n JOIN public.webhook_endpoints e ON e.id = n.endpoint_id
    WHERE e.account_id = ANY (followers);
  ELSE
    SELECT array_agg(n.id), array_agg(e.account_id) INTO ids, accounts
    FROM added n JOIN removed o USING (id) JOIN public.webhook_endpoints e ON e.id = n.endpoint_id
    WHERE n.status <> 'processing' AND e.account_id = ANY (followers)
      AND (n.status, n.attempt_count, n.replay_count) IS DISTINCT FROM (o.status, o.attempt_count, o.replay_count);
  END IF;
  IF ids IS NOT NULL THEN
    announced := public.announce_stream_log();
    INSERT INTO public.stream_log (kind, account_id, ref, at)
    SELECT 'delivery', unnest(accounts), unnest(ids), clock_timestamp();
  END IF;
  RETURN NULL;
END $$;
