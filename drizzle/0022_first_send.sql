-- The api sends what it has just committed, and records it as the worker does.
GRANT UPDATE (transaction_signature) ON transaction_intents TO launchwire_api;
--> statement-breakpoint
GRANT SELECT (intent_id, next_send_at, send_count, misanswered), UPDATE (next_send_at, send_count, misanswered)
  ON intent_broadcasts TO launchwire_api;
--> statement-breakpoint
ALTER TABLE "launches" ADD COLUMN "tip_lamports" numeric DEFAULT '0' NOT NULL;
