-- `read_stream_page` without the columns of trades.
CREATE OR REPLACE FUNCTION read_stream_kinds(after_id bigint, page integer, known text[]) RETURNS TABLE (
  complete_through bigint, given_out bigint, epoch text, deleted_through bigint, deleted_at timestamptz, proven_through timestamptz,
  id bigint, kind text, mint_address text, account_id uuid, ref uuid, slot bigint, through timestamptz,
  since timestamptz, at timestamptz, timeline_start bigint)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT complete_through, given_out, epoch, deleted_through, deleted_at, proven_through, id, kind, mint_address, account_id, ref, slot,
    through, since, at, timeline_start
  FROM public.read_stream_page(after_id, page, known)
$$;
GRANT EXECUTE ON FUNCTION read_stream_kinds(bigint, integer, text[]) TO launchwire_api;
