-- Whether the computation of a queued pair reads trades below `floor_slot` (decisions/0076). One with the largest `from_slot` goes on
-- after its base. Any other begins at the first of its slots.
CREATE OR REPLACE FUNCTION recounts_need_trades(floor_slot bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT EXISTS (
    SELECT FROM public.trader_recounts r
    LEFT JOIN public.token_traders t ON t.mint_address = r.mint_address AND t.trader_wallet = r.trader_wallet
    LEFT JOIN public.trader_bases b ON b.mint_address = r.mint_address AND b.trader_wallet = r.trader_wallet
    WHERE floor_slot > CASE r.from_slot
      WHEN 9223372036854775807 THEN nullif(split_part(b.through, ':', 1), '')::bigint
      ELSE least(r.from_slot, t.first_slot, (b.state ->> 'firstSlot')::bigint) END)
$$;
