CREATE TABLE "launches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"intent_id" uuid NOT NULL,
	"mint_address" text NOT NULL,
	"status" text NOT NULL,
	"creator_wallet" text NOT NULL,
	"name" text NOT NULL,
	"symbol" text NOT NULL,
	"description" text,
	"image_url" text,
	"telegram" text,
	"twitter" text,
	"website" text,
	"metadata_url" text NOT NULL,
	"config_address" text NOT NULL,
	"pool_address" text NOT NULL,
	"buy_lamports" numeric,
	"buy_slippage_bps" integer,
	"buy_out_raw" numeric,
	"buy_minimum_out_raw" numeric,
	"created_at" timestamp with time zone NOT NULL,
	"completed_at" timestamp with time zone,
	CONSTRAINT "launches_intent_id" UNIQUE("intent_id"),
	CONSTRAINT "launches_mint_address" UNIQUE("mint_address"),
	CONSTRAINT "launches_status" CHECK ("launches"."status" in ('pending_launch_init', 'bonding', 'failed', 'expired')),
	CONSTRAINT "launches_completed" CHECK (("launches"."status" = 'pending_launch_init') = ("launches"."completed_at" is null)),
	CONSTRAINT "launches_buy" CHECK (num_nulls("launches"."buy_lamports", "launches"."buy_slippage_bps", "launches"."buy_out_raw", "launches"."buy_minimum_out_raw") in (0, 4))
);
--> statement-breakpoint
ALTER TABLE "tokens" ADD COLUMN "listed" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "launches" ADD CONSTRAINT "launches_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "launches" ADD CONSTRAINT "launches_intent_id_transaction_intents_id_fk" FOREIGN KEY ("intent_id") REFERENCES "public"."transaction_intents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "launches" ADD CONSTRAINT "launches_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "launches_pending" ON "launches" USING btree ("created_at") WHERE "launches"."status" = 'pending_launch_init';--> statement-breakpoint
CREATE INDEX "launches_pending_account" ON "launches" USING btree ("account_id") WHERE "launches"."status" = 'pending_launch_init';--> statement-breakpoint
CREATE INDEX "tokens_listed" ON "tokens" USING btree ("ordinal" DESC NULLS FIRST) WHERE not "tokens"."hidden" and "tokens"."listed";--> statement-breakpoint
CREATE INDEX "tokens_listed_launch_type" ON "tokens" USING btree ("launch_type","ordinal" DESC NULLS FIRST) WHERE not "tokens"."hidden" and "tokens"."listed";--> statement-breakpoint
-- The api prepares a launch in one transaction: the token that is to be, the intent of its wallet, and the launch.
GRANT SELECT, INSERT ON launches TO launchwire_api;
GRANT INSERT (mint_address, creator_wallet, name, symbol, description, image_url, decimals, total_supply, launch_type,
  status, telegram, twitter, website, listed, created_at, updated_at) ON tokens TO launchwire_api;
GRANT INSERT (mint_address, as_of) ON token_markets TO launchwire_api;
-- The worker brings it to its end.
GRANT SELECT, UPDATE (status, completed_at) ON launches TO launchwire_worker;
