-- Tokens of launches that nobody has signed and that have expired: what is deleted after a day.
CREATE INDEX "tokens_expired_unsigned" ON "tokens" USING btree ("created_at") WHERE not "tokens"."listed" and "tokens"."status" = 'expired';--> statement-breakpoint
-- What refers to a token is looked for when it is deleted: the two tables that had no index for it.
CREATE INDEX "fee_claims_mint" ON "fee_claims" USING btree ("mint_address");--> statement-breakpoint
CREATE INDEX "presales_mint" ON "presales" USING btree ("mint_address");--> statement-breakpoint
-- As 0027, but for two things: a token that is in no list yet is no news to anybody, and that it gets there is.
CREATE OR REPLACE FUNCTION log_tokens() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  mints text[];
  announced boolean;
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(n.mint_address) INTO mints FROM added n WHERE n.listed;
  ELSE
    SELECT array_agg(n.mint_address) INTO mints FROM added n JOIN removed o USING (mint_address)
    WHERE (n.creator_wallet, n.name, n.symbol, n.description, n.image_url, n.decimals, n.total_supply, n.launch_type,
        n.status, n.launched_at, n.graduated_at, n.telegram, n.twitter, n.website, n.hidden, n.listed)
      IS DISTINCT FROM (o.creator_wallet, o.name, o.symbol, o.description, o.image_url, o.decimals, o.total_supply,
        o.launch_type, o.status, o.launched_at, o.graduated_at, o.telegram, o.twitter, o.website, o.hidden, o.listed);
  END IF;
  IF mints IS NOT NULL THEN
    announced := public.announce_stream_log();
    INSERT INTO public.stream_log (kind, mint_address, at) SELECT 'token', unnest(mints), clock_timestamp();
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Deletes launches that ended before `cutoff` without anybody's signature, with their tokens, at most `page` of them. Their mints can never
-- exist: one transaction could have made each, and its time is over. One of which anything else is known stays. Returns how many.
CREATE FUNCTION delete_unsigned_launches(cutoff timestamptz, page integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  candidate record;
  counted integer := 0;
BEGIN
  IF cutoff > clock_timestamp() - interval '23 hours' THEN
    RAISE EXCEPTION 'launches that nobody has signed are kept for a day' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  -- No limit here: those that stay would take the places of others.
  FOR candidate IN
    SELECT l.id, t.mint_address FROM public.tokens t JOIN public.launches l ON l.mint_address = t.mint_address
    WHERE NOT t.listed AND t.status = 'expired' AND t.created_at < cutoff
      AND l.status = 'expired' AND l.completed_at < cutoff
      AND t.pool_address IS NULL AND t.curve_stage IS NULL AND t.mint_slot IS NULL
    ORDER BY t.created_at FOR UPDATE OF t SKIP LOCKED
  LOOP
    EXIT WHEN counted >= page;
    BEGIN
      DELETE FROM public.launches WHERE id = candidate.id;
      DELETE FROM public.holder_counting WHERE mint_address = candidate.mint_address;
      DELETE FROM public.token_markets WHERE mint_address = candidate.mint_address;
      DELETE FROM public.tokens WHERE mint_address = candidate.mint_address;
      counted := counted + 1;
    EXCEPTION WHEN foreign_key_violation THEN
      -- A round or a presale, for example: the token stays, and is looked at again.
      CONTINUE;
    END;
  END LOOP;
  RETURN counted;
END $$;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION delete_unsigned_launches(timestamptz, integer) TO launchwire_worker;
