-- Streams and webhooks of followed wallets and tokens (decisions/0077). Expand only: the release before reads and writes none of the
-- new columns and tables; its api goes on with `read_stream_log`, and no event of a trade is made while one of its relays runs.
--
-- What a filter of a stream looks at, also for a reversal, whose trade is gone.
ALTER TABLE "stream_log" ADD COLUMN "trader_wallet" text;--> statement-breakpoint
ALTER TABLE "stream_log" ADD COLUMN "side" text;--> statement-breakpoint
ALTER TABLE "stream_log" ADD COLUMN "sol_amount" numeric;--> statement-breakpoint
CREATE OR REPLACE FUNCTION log_trades() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  announced boolean := public.announce_stream_log();
BEGIN
  INSERT INTO public.stream_log (kind, mint_address, ref, slot, through, trader_wallet, side, sol_amount, at)
  SELECT CASE TG_OP WHEN 'INSERT' THEN 'trade' ELSE 'trade_reverted' END, mint_address, id, slot, block_time, trader_wallet, type,
    sol_amount, clock_timestamp()
  FROM changed ORDER BY slot, transaction_index, outer_index, inner_index;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- As `read_stream_log` (0045), with the columns of trades, and only the kinds that the caller knows.
CREATE FUNCTION read_stream_page(after_id bigint, page integer, known text[]) RETURNS TABLE (
  complete_through bigint, given_out bigint, epoch text, deleted_through bigint, deleted_at timestamptz, proven_through timestamptz,
  id bigint, kind text, mint_address text, account_id uuid, ref uuid, slot bigint, through timestamptz,
  since timestamptz, at timestamptz, trader_wallet text, side text, sol_amount numeric, timeline_start bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  begun boolean := pg_sequence_last_value('public.log_timeline') IS NOT DISTINCT FROM public.current_timeline();
  horizon record := public.commit_horizon();
BEGIN
  RETURN QUERY
    SELECT horizon.complete_through, horizon.given_out,
      substr(md5(concat_ws('-', s.system_identifier, o.epoch_timeline, d.oid, 'public.stream_log'::regclass::oid)), 1, 12),
      p.deleted_through, p.deleted_at, p.proven_through,
      l.id, l.kind, l.mint_address, l.account_id, l.ref, l.slot, l.through, l.since, l.at, l.trader_wallet, l.side, l.sol_amount,
      CASE WHEN begun THEN (horizon.given_out >> 40) << 40 ELSE horizon.given_out + 1 END
    FROM public.stream_progress p CROSS JOIN pg_control_system() s CROSS JOIN public.event_order o
    CROSS JOIN (SELECT oid FROM pg_database WHERE datname = current_database()) d
    LEFT JOIN LATERAL (SELECT * FROM public.stream_log
      WHERE stream_log.id > after_id AND stream_log.id <= horizon.complete_through AND stream_log.kind = ANY (known)
      ORDER BY stream_log.id LIMIT page) l ON true
    ORDER BY l.id;
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION read_stream_page(bigint, integer, text[]) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION read_stream_page(bigint, integer, text[]) TO launchwire_api;
--> statement-breakpoint
-- The wallets and mints whose trades an endpoint gets, at most 1,000 an endpoint.
CREATE TABLE "endpoint_subjects" (
	"endpoint_id" uuid NOT NULL,
	"subject" text NOT NULL,
	"position" integer NOT NULL,
	CONSTRAINT "endpoint_subjects_pk" PRIMARY KEY("endpoint_id","subject"),
	CONSTRAINT "endpoint_subjects_position" CHECK ("endpoint_subjects"."position" between 0 and 999)
);
--> statement-breakpoint
ALTER TABLE "endpoint_subjects" ADD CONSTRAINT "endpoint_subjects_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- Another stamp after every change of an endpoint that follows trades. A random one: after a failover no number repeats.
CREATE TABLE "trade_followers" (
	"only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"stamp" uuid DEFAULT gen_random_uuid() NOT NULL,
	CONSTRAINT "trade_followers_only_row" CHECK ("trade_followers"."only_row")
);
--> statement-breakpoint
INSERT INTO trade_followers DEFAULT VALUES;
--> statement-breakpoint
-- Stored trades that some endpoint follows, until their events are recorded. Rows come at the end and leave at the beginning.
CREATE TABLE "followed_trades" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "followed_trades_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"trade_id" uuid NOT NULL,
	"slot" bigint NOT NULL,
	"of_wallet" boolean NOT NULL,
	"of_token" boolean NOT NULL
);
--> statement-breakpoint
ALTER TABLE followed_trades SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.2,
  autovacuum_analyze_scale_factor = 0.2);
--> statement-breakpoint
-- Transactions that store trades share the lock 7201965 and then read the stamp. A change of what is followed takes it alone, at its
-- commit, and so waits for those that have not seen it: each trade of a later transaction does.
CREATE FUNCTION note_trade_followers() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF current_setting('launchwire.trade_followers', true) = 'noted' THEN
    RETURN NULL;
  END IF;
  PERFORM pg_advisory_xact_lock(7201965);
  UPDATE public.trade_followers SET stamp = gen_random_uuid();
  PERFORM set_config('launchwire.trade_followers', 'noted', true);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER trade_followers_added AFTER INSERT ON webhook_endpoints DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.event_types && '{build.service.wallet.traded.v1,build.service.token.traded.v1}'::text[])
  EXECUTE FUNCTION note_trade_followers();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER trade_followers_changed AFTER UPDATE ON webhook_endpoints DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN ((NEW.event_types || OLD.event_types) && '{build.service.wallet.traded.v1,build.service.token.traded.v1}'::text[]
    AND (NEW.version, NEW.status, NEW.deleted_at, NEW.event_types) IS DISTINCT FROM (OLD.version, OLD.status, OLD.deleted_at, OLD.event_types))
  EXECUTE FUNCTION note_trade_followers();
--> statement-breakpoint
-- A relay of the release before would send events of trades to every endpoint with `*`: none are made while one runs.
ALTER TABLE "relay_members" ADD COLUMN "delivers_trades" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- As before (0027), without events of trades: on streams they are the trades themselves.
CREATE OR REPLACE FUNCTION log_events() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  announced boolean := public.announce_stream_log();
BEGIN
  INSERT INTO public.stream_log (kind, account_id, ref, at)
  SELECT unnest(CASE WHEN n.type LIKE 'build.service.transaction\_intent.%' THEN '{event,intent}'::text[] ELSE '{event}'::text[] END),
    n.account_id, n.id, clock_timestamp()
  FROM added n WHERE n.only_endpoint_id IS NULL
    AND n.type <> ALL ('{build.service.wallet.traded.v1,build.service.token.traded.v1}'::text[]);
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Deletes the oldest events of trades below `before`, a UUIDv7, that no delivery still needs, with their deliveries. Returns how many.
CREATE FUNCTION delete_trade_events(before uuid, page integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  ids uuid[];
BEGIN
  IF to_timestamp(('x' || left(replace(before::text, '-', ''), 12))::bit(48)::bigint / 1000.0) > clock_timestamp() - interval '7 days' THEN
    RAISE EXCEPTION 'events of trades are kept for at least 7 days' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  SELECT array_agg(found.id) INTO ids
  FROM unnest('{build.service.wallet.traded.v1,build.service.token.traded.v1}'::text[]) AS traded (type)
  CROSS JOIN LATERAL (
    SELECT e.id FROM public.events e
    WHERE e.account_id IS NULL AND e.type = traded.type AND e.id < before
      AND e.published_at IS NOT NULL AND e.fanned_out_at IS NOT NULL
      AND NOT EXISTS (SELECT FROM public.webhook_deliveries d
        WHERE d.event_id = e.id AND d.status IN ('pending', 'processing', 'retrying'))
    ORDER BY e.recorded_in, e.id LIMIT page) AS found;
  -- A replay that comes meanwhile keeps its delivery, and so its event.
  DELETE FROM public.webhook_deliveries
  WHERE event_id = ANY (ids) AND status NOT IN ('pending', 'processing', 'retrying');
  DELETE FROM public.events e
  WHERE e.id = ANY (ids) AND NOT EXISTS (SELECT FROM public.webhook_deliveries d WHERE d.event_id = e.id);
  RETURN coalesce(cardinality(ids), 0);
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION delete_trade_events(uuid, integer) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION delete_trade_events(uuid, integer) TO launchwire_worker;
--> statement-breakpoint
GRANT SELECT, INSERT, DELETE ON endpoint_subjects TO launchwire_api;
--> statement-breakpoint
GRANT SELECT ON endpoint_subjects TO launchwire_worker, launchwire_relay;
--> statement-breakpoint
GRANT SELECT ON trade_followers TO launchwire_worker;
--> statement-breakpoint
-- A row lock asks for the right to update some column.
GRANT SELECT, INSERT, DELETE, UPDATE (slot) ON followed_trades TO launchwire_worker;
--> statement-breakpoint
GRANT SELECT (version, updated_at) ON webhook_endpoints TO launchwire_worker;
--> statement-breakpoint
GRANT SELECT (beat_at, delivers_trades) ON relay_members TO launchwire_worker;
