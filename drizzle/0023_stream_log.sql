CREATE TABLE "stream_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "stream_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"mint_address" text,
	"account_id" uuid,
	"ref" uuid,
	"slot" bigint,
	"through" timestamp with time zone,
	"since" timestamp with time zone,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "stream_log_kind" CHECK ("stream_log"."kind" in ('trade', 'trade_reverted', 'token', 'market', 'proven', 'event', 'intent', 'operation', 'delivery'))
);
--> statement-breakpoint
CREATE TABLE "stream_followers" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stream_progress" (
	"only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"deleted_through" bigint NOT NULL,
	"deleted_at" timestamp with time zone,
	"proven_through" timestamp with time zone,
	CONSTRAINT "stream_progress_only_row" CHECK ("stream_progress"."only_row")
);

--> statement-breakpoint
INSERT INTO stream_progress (deleted_through) VALUES (0);
--> statement-breakpoint
-- Rows come at the end and leave at the beginning: what is dead must go soon, or every look at the beginning walks over it.
ALTER TABLE stream_log SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.2,
  autovacuum_analyze_scale_factor = 0.2);
--> statement-breakpoint
-- Who writes to the log shows, before the first id of its transaction is taken, from which id on it may write: a shared
-- advisory lock whose second key is the last id that was given out (31 bits of it). It ends when the transaction has, after
-- its rows can be seen. What lies below every such lock is complete, and nothing else has to be waited for.
CREATE FUNCTION announce_stream_log() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  given_out bigint;
BEGIN
  IF current_setting('launchwire.stream_log', true) = 'announced' THEN
    RETURN;
  END IF;
  SELECT CASE WHEN is_called THEN last_value ELSE 0 END INTO given_out FROM public.stream_log_id_seq;
  PERFORM pg_advisory_xact_lock_shared(7201960, (given_out & 2147483647)::integer);
  PERFORM set_config('launchwire.stream_log', 'announced', true);
  -- A reader must not see what a crash of the server could take back.
  IF current_setting('synchronous_commit') = 'off' THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
END $$;
--> statement-breakpoint
-- The log after `position`, as far as it is complete, at most `page` rows; at least one row, whose `id` is null when there
-- is nothing new. Its three looks come one after another, each with a snapshot of its own, and their order is what makes it
-- right: ids given out, then who still writes, then the rows. `epoch` is another one in a database that was restored or
-- took the place of another.
CREATE FUNCTION read_stream_log(after_id bigint, page integer) RETURNS TABLE (
  complete_through bigint, given_out bigint, epoch text, deleted_through bigint, deleted_at timestamptz, proven_through timestamptz,
  id bigint, kind text, mint_address text, account_id uuid, ref uuid, slot bigint, through timestamptz,
  since timestamptz, at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  given_before bigint;
  given_after bigint;
  announced bigint[];
  horizon bigint;
BEGIN
  SELECT CASE WHEN is_called THEN last_value ELSE 0 END INTO given_before FROM public.stream_log_id_seq;
  SELECT array_agg(objid::bigint) INTO announced FROM pg_locks
    WHERE locktype = 'advisory' AND classid = 7201960 AND objsubid = 2 AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database());
  SELECT CASE WHEN is_called THEN last_value ELSE 0 END INTO given_after FROM public.stream_log_id_seq;
  SELECT least(given_before, min(given_after - ((given_after - low) & 2147483647))) INTO horizon
    FROM unnest(announced) AS low;
  RETURN QUERY
    SELECT horizon, given_after,
      substr(md5(concat_ws('-', s.system_identifier, c.timeline_id, d.oid, 'public.stream_log'::regclass::oid)), 1, 12),
      p.deleted_through, p.deleted_at, p.proven_through,
      l.id, l.kind, l.mint_address, l.account_id, l.ref, l.slot, l.through, l.since, l.at
    FROM public.stream_progress p CROSS JOIN pg_control_system() s CROSS JOIN pg_control_checkpoint() c
    CROSS JOIN (SELECT oid FROM pg_database WHERE datname = current_database()) d
    LEFT JOIN LATERAL (SELECT * FROM public.stream_log
      WHERE stream_log.id > after_id AND stream_log.id <= horizon ORDER BY stream_log.id LIMIT page) l ON true
    ORDER BY l.id;
END $$;
--> statement-breakpoint
-- Deletes the oldest rows that are older than `cutoff`, or more than `kept` ids back, and remembers how far. Returns how many.
CREATE FUNCTION trim_stream_log(cutoff timestamptz, kept bigint, page integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  counted integer;
BEGIN
  IF cutoff > clock_timestamp() - interval '15 minutes' THEN
    RAISE EXCEPTION 'the log of streams is kept for at least 15 minutes' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  WITH oldest AS (
    SELECT o.id FROM (SELECT l.id, l.at FROM public.stream_log l ORDER BY l.id LIMIT page) o
    WHERE o.at < cutoff OR o.id <= (SELECT last_value FROM public.stream_log_id_seq) - kept
  ), deleted AS (
    DELETE FROM public.stream_log l USING oldest o WHERE l.id = o.id RETURNING l.id, l.at
  ), remembered AS (
    UPDATE public.stream_progress p SET deleted_through = greatest(p.deleted_through, d.id), deleted_at = d.at
    FROM (SELECT id, at FROM deleted ORDER BY id DESC LIMIT 1) d
  )
  SELECT count(*) INTO counted FROM deleted;
  RETURN counted;
END $$;
--> statement-breakpoint
CREATE FUNCTION log_trades() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM changed) THEN
    PERFORM public.announce_stream_log();
    INSERT INTO public.stream_log (kind, mint_address, ref, slot, through, at)
    SELECT CASE TG_OP WHEN 'INSERT' THEN 'trade' ELSE 'trade_reverted' END, mint_address, id, slot, block_time, clock_timestamp()
    FROM changed ORDER BY slot, transaction_index, outer_index, inner_index;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER trades_logged AFTER INSERT ON trades REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION log_trades();
--> statement-breakpoint
CREATE TRIGGER reversals_logged AFTER DELETE ON trades REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION log_trades();
--> statement-breakpoint
CREATE FUNCTION log_markets() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  mints text[];
BEGIN
  SELECT array_agg(n.mint_address) INTO mints FROM added n JOIN removed o USING (mint_address)
  WHERE (n.price_in_sol, n.liquidity_in_sol, n.sol_collected_in_sol, n.holder_count)
    IS DISTINCT FROM (o.price_in_sol, o.liquidity_in_sol, o.sol_collected_in_sol, o.holder_count);
  IF mints IS NOT NULL THEN
    PERFORM public.announce_stream_log();
    INSERT INTO public.stream_log (kind, mint_address, at)
    SELECT 'market', mint, clock_timestamp() FROM unnest(mints) AS mint;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER token_markets_logged AFTER UPDATE ON token_markets REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_markets();
--> statement-breakpoint
CREATE FUNCTION log_tokens() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  mints text[];
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
    PERFORM public.announce_stream_log();
    INSERT INTO public.stream_log (kind, mint_address, at)
    SELECT 'token', mint, clock_timestamp() FROM unnest(mints) AS mint;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER new_tokens_logged AFTER INSERT ON tokens REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_tokens();
--> statement-breakpoint
CREATE TRIGGER tokens_logged AFTER UPDATE ON tokens REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_tokens();
--> statement-breakpoint
-- A row a minute and token, which is when candles may close. The one row of progress is left alone while another writes it.
CREATE FUNCTION log_proofs() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  latest timestamptz;
BEGIN
  SELECT max(n.through) INTO latest FROM added n;
  IF latest IS NULL THEN
    RETURN NULL;
  END IF;
  UPDATE public.stream_progress SET proven_through = latest
  WHERE ctid = (SELECT ctid FROM public.stream_progress
    WHERE proven_through IS NULL OR proven_through < latest FOR NO KEY UPDATE SKIP LOCKED);
  IF TG_OP = 'INSERT' THEN
    PERFORM public.announce_stream_log();
    INSERT INTO public.stream_log (kind, mint_address, through, at)
    SELECT 'proven', mint_address, through, clock_timestamp() FROM added;
  ELSIF EXISTS (SELECT FROM added n JOIN removed o USING (mint_address)
      WHERE date_trunc('minute', n.through) > date_trunc('minute', o.through)) THEN
    PERFORM public.announce_stream_log();
    INSERT INTO public.stream_log (kind, mint_address, through, since, at)
    SELECT 'proven', n.mint_address, n.through, o.through, clock_timestamp()
    FROM added n JOIN removed o USING (mint_address)
    WHERE date_trunc('minute', n.through) > date_trunc('minute', o.through);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER new_proofs_logged AFTER INSERT ON source_proofs REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_proofs();
--> statement-breakpoint
CREATE TRIGGER proofs_logged AFTER UPDATE ON source_proofs REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_proofs();
--> statement-breakpoint
-- An event of an intent is the intent's change of status too: two rows, so that each message has a place of its own.
CREATE FUNCTION log_events() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM added WHERE only_endpoint_id IS NULL) THEN
    PERFORM public.announce_stream_log();
    INSERT INTO public.stream_log (kind, account_id, ref, at)
    SELECT k.kind, n.account_id, n.id, clock_timestamp()
    FROM added n JOIN (VALUES ('event'), ('intent')) AS k (kind)
      ON k.kind = 'event' OR n.type LIKE 'build.service.transaction\_intent.%'
    WHERE n.only_endpoint_id IS NULL ORDER BY n.id, k.kind;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER events_logged AFTER INSERT ON events REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_events();
--> statement-breakpoint
CREATE FUNCTION log_operations() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM public.announce_stream_log();
    INSERT INTO public.stream_log (kind, account_id, ref, at)
    SELECT 'operation', account_id, id, clock_timestamp() FROM added;
  ELSIF EXISTS (SELECT FROM added n JOIN removed o USING (id)
      WHERE (n.status, n.progress_completed, n.progress_total, n.progress_unit)
        IS DISTINCT FROM (o.status, o.progress_completed, o.progress_total, o.progress_unit)) THEN
    PERFORM public.announce_stream_log();
    INSERT INTO public.stream_log (kind, account_id, ref, at)
    SELECT 'operation', n.account_id, n.id, clock_timestamp() FROM added n JOIN removed o USING (id)
    WHERE (n.status, n.progress_completed, n.progress_total, n.progress_unit)
      IS DISTINCT FROM (o.status, o.progress_completed, o.progress_total, o.progress_unit);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER new_operations_logged AFTER INSERT ON operations REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_operations();
--> statement-breakpoint
CREATE TRIGGER operations_logged AFTER UPDATE ON operations REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_operations();
--> statement-breakpoint
-- A claim is no change that anybody waits for; a lease neither. Deliveries are many: only those of accounts that follow them
-- are logged, and where nobody does, a statement costs one look. Who begins to follow takes the lock alone, and so waits for
-- transactions that have looked before.
CREATE FUNCTION log_deliveries() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  ids uuid[];
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7201962, 0);
  IF NOT EXISTS (SELECT FROM public.stream_followers WHERE until > clock_timestamp()) THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(n.id) INTO ids FROM added n;
  ELSE
    SELECT array_agg(n.id) INTO ids FROM added n JOIN removed o USING (id)
    WHERE n.status <> 'processing' AND (n.status, n.attempt_count, n.replay_count)
      IS DISTINCT FROM (o.status, o.attempt_count, o.replay_count);
  END IF;
  SELECT array_agg(d.id) INTO ids FROM added d JOIN public.webhook_endpoints e ON e.id = d.endpoint_id
    JOIN public.stream_followers f ON f.account_id = e.account_id AND f.until > clock_timestamp()
    WHERE d.id = ANY (ids);
  IF ids IS NOT NULL THEN
    PERFORM public.announce_stream_log();
    INSERT INTO public.stream_log (kind, account_id, ref, at)
    SELECT 'delivery', e.account_id, d.id, clock_timestamp()
    FROM added d JOIN public.webhook_endpoints e ON e.id = d.endpoint_id WHERE d.id = ANY (ids);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER new_deliveries_logged AFTER INSERT ON webhook_deliveries REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_deliveries();
--> statement-breakpoint
CREATE TRIGGER deliveries_logged AFTER UPDATE ON webhook_deliveries REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION log_deliveries();
--> statement-breakpoint
-- Nobody writes to the log but its triggers. The api reads it, and the events that it names; the worker trims it.
GRANT SELECT ON stream_log, stream_progress TO launchwire_api;
GRANT SELECT, INSERT, UPDATE (until) ON stream_followers TO launchwire_api;
GRANT SELECT (until), DELETE ON stream_followers TO launchwire_worker;
GRANT SELECT (id, type, body) ON events TO launchwire_api;
GRANT EXECUTE ON FUNCTION read_stream_log(bigint, integer) TO launchwire_api;
GRANT EXECUTE ON FUNCTION trim_stream_log(timestamptz, bigint, integer) TO launchwire_worker;
