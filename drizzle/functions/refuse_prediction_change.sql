-- A prediction is immutable (contract/predictions#submission): what was predicted never changes, and no row
-- disappears. Only the outcome of the round is written, once.
CREATE OR REPLACE FUNCTION refuse_prediction_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'UPDATE' OR OLD.status <> 'accepted'
    OR (NEW.id, NEW.round_id, NEW.account_id, NEW.wallet_address, NEW.username, NEW.predicted_price_in_sol,
        NEW.evaluation_slot, NEW.balance_raw, NEW.submitted_at)
      IS DISTINCT FROM
       (OLD.id, OLD.round_id, OLD.account_id, OLD.wallet_address, OLD.username, OLD.predicted_price_in_sol,
        OLD.evaluation_slot, OLD.balance_raw, OLD.submitted_at)
  THEN
    RAISE EXCEPTION 'predictions are immutable' USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
