-- Expand only: columns with a constant default, so no table is rewritten; the checks read the stored intents once. How a transaction is
-- sent, and what its priority was asked by. The release before knows one route. It neither submits nor sends a transaction of another: its
-- submission sets no `keeps_route`, and a check refuses that; its worker finds no job, because those are due in a column of their own
-- (decisions/0062).
ALTER TABLE "transaction_intents" ADD COLUMN "send_route" text DEFAULT 'fast' NOT NULL;--> statement-breakpoint
ALTER TABLE "transaction_intents" ADD COLUMN "keeps_route" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "transaction_intents" ADD COLUMN "priority_level" text;--> statement-breakpoint
ALTER TABLE "transaction_intents" ADD CONSTRAINT "transaction_intents_send_route" CHECK ("transaction_intents"."send_route" in ('fast', 'protected'));--> statement-breakpoint
ALTER TABLE "transaction_intents" ADD CONSTRAINT "transaction_intents_keeps_route" CHECK ("transaction_intents"."send_route" = 'fast' or "transaction_intents"."keeps_route" or "transaction_intents"."status" in ('prepared', 'expired'));--> statement-breakpoint
ALTER TABLE "transaction_intents" ADD CONSTRAINT "transaction_intents_priority_level" CHECK ("transaction_intents"."priority_level" in ('min', 'low', 'medium', 'high', 'veryHigh'));--> statement-breakpoint
ALTER TABLE "intent_broadcasts" ADD COLUMN "protected_send_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "intent_broadcasts" ADD CONSTRAINT "intent_broadcasts_protected" CHECK ("intent_broadcasts"."protected_send_at" is null or "intent_broadcasts"."next_send_at" >= '9999-12-31T00:00:00Z');--> statement-breakpoint
CREATE INDEX "intent_broadcasts_protected_due" ON "intent_broadcasts" USING btree ("protected_send_at") WHERE "intent_broadcasts"."protected_send_at" is not null;--> statement-breakpoint
GRANT INSERT (send_route, priority_level), UPDATE (keeps_route) ON transaction_intents TO launchwire_api;--> statement-breakpoint
GRANT INSERT (send_route, priority_level) ON transaction_intents TO launchwire_internal;--> statement-breakpoint
GRANT SELECT (protected_send_at), UPDATE (protected_send_at) ON intent_broadcasts TO launchwire_api;--> statement-breakpoint
GRANT UPDATE (protected_send_at) ON intent_broadcasts TO launchwire_worker;
