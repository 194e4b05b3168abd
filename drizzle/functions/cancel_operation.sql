-- Cancels an operation of an account, and can do nothing else to it: the api calls it, which may not change operations. A queued one ends
-- at once: it has no rows of its work yet. A running one is asked to stop at its next step, and is due now when no worker holds it. Returns
-- the status before; null when the account has no such operation.
CREATE OR REPLACE FUNCTION cancel_operation(operation uuid, owner uuid, at timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  before text;
BEGIN
  SELECT o.status INTO before FROM public.operations o WHERE o.id = operation AND o.account_id = owner FOR NO KEY UPDATE;
  IF before = 'queued' THEN
    UPDATE public.operations SET status = 'cancelled', completed_at = at, due_at = NULL, lease_token = NULL, checkpoint = NULL
    WHERE id = operation;
  ELSIF before = 'running' THEN
    UPDATE public.operations SET cancel_requested_at = coalesce(cancel_requested_at, at),
      due_at = CASE WHEN lease_token IS NULL THEN now() ELSE due_at END
    WHERE id = operation;
  END IF;
  RETURN before;
END $$;
GRANT EXECUTE ON FUNCTION cancel_operation(uuid, uuid, timestamp with time zone) TO launchwire_api;
