-- Streams of presales and rounds (decisions/0078): two kinds of changes in the log. Expand only: the release before reads the log by
-- `read_stream_log(bigint, integer)`, which goes on to return the kinds that it knows; `read_stream_kinds` returns those of its caller.
CREATE FUNCTION log_presale() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  announced boolean := public.announce_stream_log();
BEGIN
  -- Without its mint: a stream of a token does not get it.
  INSERT INTO public.stream_log (kind, ref, at) VALUES ('presale', NEW.id, clock_timestamp());
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER presales_added AFTER INSERT ON presales FOR EACH ROW WHEN (NEW.status <> 'draft') EXECUTE FUNCTION log_presale();
--> statement-breakpoint
-- What the record shows of a presale that changes: its status and its deposits.
CREATE TRIGGER presales_changed AFTER UPDATE ON presales FOR EACH ROW
  WHEN (NEW.status <> 'draft' AND (NEW.status <> OLD.status OR NEW.total_deposited_lamports <> OLD.total_deposited_lamports
    OR NEW.participant_count <> OLD.participant_count)) EXECUTE FUNCTION log_presale();
--> statement-breakpoint
CREATE FUNCTION log_prediction_round() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  announced boolean := public.announce_stream_log();
BEGIN
  INSERT INTO public.stream_log (kind, ref, at) VALUES ('round', NEW.id, clock_timestamp());
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER prediction_rounds_added AFTER INSERT ON prediction_rounds FOR EACH ROW EXECUTE FUNCTION log_prediction_round();
--> statement-breakpoint
-- A prediction touches its round and names no status: it costs nothing more.
CREATE TRIGGER prediction_rounds_changed AFTER UPDATE OF status ON prediction_rounds FOR EACH ROW
  WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION log_prediction_round();
--> statement-breakpoint
-- As `read_stream_log` of 0045, with the kinds that the caller knows: a later release adds kinds, and no earlier one notices.
CREATE FUNCTION read_stream_kinds(after_id bigint, page integer, known text[]) RETURNS TABLE (
  complete_through bigint, given_out bigint, epoch text, deleted_through bigint, deleted_at timestamptz, proven_through timestamptz,
  id bigint, kind text, mint_address text, account_id uuid, ref uuid, slot bigint, through timestamptz,
  since timestamptz, at timestamptz, timeline_start bigint)
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
      l.id, l.kind, l.mint_address, l.account_id, l.ref, l.slot, l.through, l.since, l.at,
      CASE WHEN begun THEN (horizon.given_out >> 40) << 40 ELSE horizon.given_out + 1 END
    FROM public.stream_progress p CROSS JOIN pg_control_system() s CROSS JOIN public.event_order o
    CROSS JOIN (SELECT oid FROM pg_database WHERE datname = current_database()) d
    LEFT JOIN LATERAL (SELECT * FROM public.stream_log
      WHERE stream_log.id > after_id AND stream_log.id <= horizon.complete_through AND stream_log.kind = ANY (known)
      ORDER BY stream_log.id LIMIT page) l ON true
    ORDER BY l.id;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION read_stream_log(after_id bigint, page integer) RETURNS TABLE (
  complete_through bigint, given_out bigint, epoch text, deleted_through bigint, deleted_at timestamptz, proven_through timestamptz,
  id bigint, kind text, mint_address text, account_id uuid, ref uuid, slot bigint, through timestamptz,
  since timestamptz, at timestamptz, timeline_start bigint)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT * FROM public.read_stream_kinds(after_id, page,
    ARRAY['trade', 'trade_reverted', 'token', 'market', 'proven', 'event', 'intent', 'operation', 'delivery'])
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION read_stream_kinds(bigint, integer, text[]), log_presale(), log_prediction_round() FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION read_stream_kinds(bigint, integer, text[]) TO launchwire_api;
