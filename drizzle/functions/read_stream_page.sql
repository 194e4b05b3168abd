-- The log after `after_id`, as far as it is complete, with the kinds that the caller knows: a later release adds kinds, and no earlier
-- one notices. At most `page` rows, and at least one, whose `id` is null when there is nothing new. Its three looks come one after
-- another, each with a snapshot of its own, and their order is what makes it right: ids given out, then who still writes, then the rows.
-- `epoch` is another one in a database that was restored or took the place of another, and no promotion changes it. Ids below
-- `timeline_start` were given out on an earlier timeline, and the end of that may not have reached this server.
CREATE OR REPLACE FUNCTION read_stream_page(after_id bigint, page integer, known text[]) RETURNS TABLE (
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
GRANT EXECUTE ON FUNCTION read_stream_page(bigint, integer, text[]) TO launchwire_api, launchwire_worker;
