-- Nonce accounts of wallets, over which orders are signed that wait (contract/orders#slots). Expand only: the release before
-- neither writes nor reads them.
CREATE TABLE "order_slots" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"intent_id" uuid,
	"closing_intent_id" uuid,
	"nonce_address" text NOT NULL,
	"wallet_address" text NOT NULL,
	"status" text NOT NULL,
	"nonce" text,
	"read_slot" bigint,
	"due_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"completed_at" timestamp with time zone,
	CONSTRAINT "order_slots_intent_id" UNIQUE("intent_id"),
	CONSTRAINT "order_slots_status" CHECK ("order_slots"."status" in ('pending', 'ready', 'closed', 'failed', 'expired')),
	CONSTRAINT "order_slots_completed" CHECK (("order_slots"."status" in ('pending', 'ready')) = ("order_slots"."completed_at" is null)),
	CONSTRAINT "order_slots_read" CHECK (num_nulls("order_slots"."nonce", "order_slots"."read_slot") in (0, 2)),
	CONSTRAINT "order_slots_ready" CHECK ("order_slots"."status" <> 'ready' or "order_slots"."nonce" is not null)
);
--> statement-breakpoint
ALTER TABLE "order_slots" ADD CONSTRAINT "order_slots_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_slots" ADD CONSTRAINT "order_slots_intent_id_transaction_intents_id_fk" FOREIGN KEY ("intent_id") REFERENCES "public"."transaction_intents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_slots" ADD CONSTRAINT "order_slots_closing_intent_id_transaction_intents_id_fk" FOREIGN KEY ("closing_intent_id") REFERENCES "public"."transaction_intents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "order_slots_account" ON "order_slots" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "order_slots_due" ON "order_slots" USING btree ("due_at") WHERE "order_slots"."status" in ('pending', 'ready');--> statement-breakpoint
CREATE UNIQUE INDEX "order_slots_open" ON "order_slots" USING btree ("account_id","nonce_address") WHERE "order_slots"."status" in ('pending', 'ready');--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE (closing_intent_id, due_at) ON order_slots TO launchwire_api;--> statement-breakpoint
GRANT SELECT, UPDATE (completed_at, due_at, nonce, read_slot, status) ON order_slots TO launchwire_worker;
