-- What became of a transaction that landed: one row for each, stored with the end of its intent, and followed until its block is
-- final. Expand only: the release before ends intents without a row, and they keep `landed` null.
CREATE TABLE "intent_landings" (
	"intent_id" uuid PRIMARY KEY NOT NULL,
	"slot" bigint NOT NULL,
	"finality" text NOT NULL,
	"landed_at" timestamp with time zone NOT NULL,
	"settled_at" timestamp with time zone,
	"facts_at" timestamp with time zone,
	"succeeded" boolean,
	"block_time" timestamp with time zone,
	"index_in_block" integer,
	"fee_lamports" bigint,
	"compute_units" bigint,
	"tip_lamports" bigint,
	"changes" jsonb,
	"input_raw" numeric,
	"output_raw" numeric,
	"price_in_sol" numeric,
	"quote_difference_bps" integer,
	"check_count" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone,
	CONSTRAINT "intent_landings_finality" CHECK ("intent_landings"."finality" in ('confirmed', 'finalized', 'reverted')),
	CONSTRAINT "intent_landings_settled" CHECK (("intent_landings"."finality" = 'confirmed') = ("intent_landings"."settled_at" is null)),
	CONSTRAINT "intent_landings_facts" CHECK (("intent_landings"."facts_at" is null) = ("intent_landings"."fee_lamports" is null) and ("intent_landings"."facts_at" is null) = ("intent_landings"."succeeded" is null) and ("intent_landings"."facts_at" is null) = ("intent_landings"."changes" is null))
);
--> statement-breakpoint
-- Goes with its intent.
ALTER TABLE "intent_landings" ADD CONSTRAINT "intent_landings_intent_id_transaction_intents_id_fk" FOREIGN KEY ("intent_id") REFERENCES "public"."transaction_intents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "intent_landings_due" ON "intent_landings" USING btree ("due_at") WHERE "intent_landings"."due_at" is not null;--> statement-breakpoint
-- What a flow made the transaction of.
ALTER TABLE "transaction_intents" ADD COLUMN "mint_address" text;--> statement-breakpoint
ALTER TABLE "transaction_intents" ADD COLUMN "launch_id" uuid;--> statement-breakpoint
ALTER TABLE "transaction_intents" ADD COLUMN "tip_lamports" bigint;--> statement-breakpoint
ALTER TABLE "transaction_intents" ADD COLUMN "quote" jsonb;--> statement-breakpoint
GRANT INSERT (mint_address, launch_id, tip_lamports, quote) ON transaction_intents TO launchwire_api;--> statement-breakpoint
GRANT SELECT ON intent_landings TO launchwire_api;--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE ON intent_landings TO launchwire_worker;
