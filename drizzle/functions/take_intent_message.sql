-- Whoever stores an intent takes its message; a second intent violates the primary key.
CREATE OR REPLACE FUNCTION take_intent_message() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.intent_messages (recent_blockhash, message_hash, intent_id)
  VALUES (NEW.recent_blockhash, public.intent_message_hash(NEW.prepared_transaction), NEW.id);
  RETURN NULL;
END $$;
