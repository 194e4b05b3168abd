-- Intents that claim fees: what each claims, and which distributions its transaction made (contract/fee-claims#intents, decisions/0080). Expand only: the
-- release before neither writes nor reads the table.
CREATE TABLE "fee_claim_intents" (
	"intent_id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"wallet_address" text NOT NULL,
	"claims" jsonb NOT NULL,
	"in_sol" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"transaction_signature" text,
	"settled_at" timestamp with time zone,
	CONSTRAINT "fee_claim_intents_in_sol" CHECK ("fee_claim_intents"."in_sol" >= 0)
);
--> statement-breakpoint
ALTER TABLE "fee_claim_intents" ADD CONSTRAINT "fee_claim_intents_intent_id_transaction_intents_id_fk" FOREIGN KEY ("intent_id") REFERENCES "public"."transaction_intents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fee_claim_intents" ADD CONSTRAINT "fee_claim_intents_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "fee_claim_intents_pending" ON "fee_claim_intents" USING btree ("intent_id") WHERE "fee_claim_intents"."settled_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "fee_claim_intents_signature" ON "fee_claim_intents" USING btree ("transaction_signature") WHERE "fee_claim_intents"."transaction_signature" is not null;--> statement-breakpoint
GRANT SELECT, INSERT ON fee_claim_intents TO launchwire_api;
--> statement-breakpoint
GRANT SELECT, UPDATE (transaction_signature, settled_at) ON fee_claim_intents TO launchwire_worker;
