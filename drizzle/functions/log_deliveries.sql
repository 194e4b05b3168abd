-- Logs the deliveries that changed. Nobody waits for a claim or a lease. There are many deliveries, so only those of
-- accounts that follow them are logged. Where no account does, a statement costs one look. An account that begins to
-- follow takes the lock exclusively, so it waits for transactions that have looked before.
CREATE OR REPLACE FUNCTION log_deliveries() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  followers uuid[];
  ids uuid[];
  accounts uuid[];
  announced boolean;
BEGIN
  -- The lock function returns void, which is never null. The query below has a snapshot from after the lock.
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
