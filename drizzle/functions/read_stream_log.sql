-- `read_stream_kinds` of nine kinds, those that rankings follow among them.
CREATE OR REPLACE FUNCTION read_stream_log(after_id bigint, page integer) RETURNS TABLE (
  complete_through bigint, given_out bigint, epoch text, deleted_through bigint, deleted_at timestamptz, proven_through timestamptz,
  id bigint, kind text, mint_address text, account_id uuid, ref uuid, slot bigint, through timestamptz,
  since timestamptz, at timestamptz, timeline_start bigint)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT * FROM public.read_stream_kinds(after_id, page,
    ARRAY['trade', 'trade_reverted', 'token', 'market', 'proven', 'event', 'intent', 'operation', 'delivery'])
$$;
GRANT EXECUTE ON FUNCTION read_stream_log(bigint, integer) TO launchwire_api, launchwire_worker;
