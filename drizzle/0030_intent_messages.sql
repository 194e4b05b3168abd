-- One intent for each message: bytes that land once confirm one intent. A table of its own, because an index of transaction_intents would
-- get another entry at each change of a status. The blockhash comes first: messages of one moment are beside each other.
CREATE TABLE "intent_messages" (
	"recent_blockhash" text NOT NULL,
	"message_hash" "bytea" NOT NULL,
	"intent_id" uuid NOT NULL,
	CONSTRAINT "intent_messages_pk" PRIMARY KEY("recent_blockhash","message_hash"),
	CONSTRAINT "intent_messages_hash" CHECK (octet_length("intent_messages"."message_hash") = 32)
);
--> statement-breakpoint
-- SHA-256 of what the signatures of a transaction cover. In version 1 (first byte 0x81) they are last, otherwise first; their number is one byte.
CREATE FUNCTION intent_message_hash(transaction bytea) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT sha256(CASE get_byte(transaction, 0)
    WHEN 129 THEN substr(transaction, 1, greatest(0, octet_length(transaction) - 64 * get_byte(transaction, 1)))
    ELSE substr(transaction, 2 + 64 * get_byte(transaction, 0)) END)
$$;
--> statement-breakpoint
-- Whoever stores an intent takes its message, the release before included; a second intent violates the primary key.
CREATE FUNCTION take_intent_message() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.intent_messages (recent_blockhash, message_hash, intent_id)
  VALUES (NEW.recent_blockhash, public.intent_message_hash(NEW.prepared_transaction), NEW.id);
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Takes the messages of intents that are open or were made after `since`, of those that share one the oldest; each part is read by an index.
CREATE FUNCTION pg_temp.take_stored_messages(since timestamptz) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO public.intent_messages (recent_blockhash, message_hash, intent_id)
  SELECT recent_blockhash, public.intent_message_hash(prepared_transaction), id FROM public.transaction_intents
  WHERE id = ANY (ARRAY(
      SELECT id FROM public.transaction_intents WHERE status = 'prepared'
      UNION SELECT intent_id FROM public.intent_broadcasts
      UNION SELECT id FROM public.transaction_intents
        WHERE id >= (lpad(to_hex((extract(epoch FROM since) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid))
    AND recent_blockhash IS NOT NULL AND octet_length(prepared_transaction) > 1
  ORDER BY id
  ON CONFLICT DO NOTHING
$$;
--> statement-breakpoint
-- After an hour no recent blockhash is good. The trigger locks the table, so it comes when most is done, and what came meanwhile after it.
SELECT pg_temp.take_stored_messages(now() - interval '1 hour');
--> statement-breakpoint
CREATE TRIGGER intent_message_taken AFTER INSERT ON transaction_intents
  FOR EACH ROW WHEN (NEW.recent_blockhash IS NOT NULL) EXECUTE FUNCTION take_intent_message();
--> statement-breakpoint
SELECT pg_temp.take_stored_messages(now() - interval '1 minute');
--> statement-breakpoint
-- A refusal names the intent that has the message. Nobody writes but the trigger.
GRANT SELECT ON intent_messages TO launchwire_internal;
