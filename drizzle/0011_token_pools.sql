CREATE TABLE "token_pools" (
	"pool_address" text PRIMARY KEY NOT NULL,
	"mint_address" text NOT NULL,
	"program" text NOT NULL,
	"unusable_reason" text,
	"curve_pool_address" text,
	"config_address" text,
	"migration_signature" text,
	"migration_slot" bigint,
	"migration_transaction_index" integer,
	"rests_until" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "token_pools_program" CHECK ("token_pools"."program" in ('dbc', 'damm_v2', 'damm_v1', 'other')),
	CONSTRAINT "token_pools_reason" CHECK ("token_pools"."unusable_reason" in ('other_program', 'mint_differs', 'quote_is_not_sol', 'unreadable'))
);
--> statement-breakpoint
ALTER TABLE "token_markets" ALTER COLUMN "liquidity_in_sol" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "token_markets" ALTER COLUMN "liquidity_in_sol" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "token_markets" ALTER COLUMN "holder_count" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "token_markets" ALTER COLUMN "holder_count" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "token_markets" ADD COLUMN "liquidity_position" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "tokens" ADD COLUMN "curve_stage" text;--> statement-breakpoint
ALTER TABLE "tokens" ADD COLUMN "curve_created_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "tokens" ADD COLUMN "curve_completed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "tokens" ADD COLUMN "curve_migrated_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "tokens" ADD COLUMN "announce_history" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "tokens" ADD COLUMN "told_events" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "trades" ADD COLUMN "on_curve" boolean;--> statement-breakpoint
ALTER TABLE "token_pools" ADD CONSTRAINT "token_pools_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "token_pools_mint" ON "token_pools" USING btree ("mint_address");--> statement-breakpoint
CREATE INDEX "token_pools_curve" ON "token_pools" USING btree ("curve_pool_address");--> statement-breakpoint
ALTER TABLE "tokens" ADD CONSTRAINT "tokens_curve_stage" CHECK ("tokens"."curve_stage" in ('trading', 'completed', 'migrated'));--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE ON token_pools TO launchwire_worker;
--> statement-breakpoint
-- What the release before has sent: each launch event is sent once.
UPDATE tokens SET told_events = array_remove(ARRAY[
  CASE WHEN launched_at IS NOT NULL THEN 'launch.created' END,
  CASE WHEN status IN ('graduating_migration_pending', 'graduated') THEN 'token.curve_completed' END,
  CASE WHEN graduated_at IS NOT NULL THEN 'launch.graduated' END], NULL);
--> statement-breakpoint
-- Figures that nobody has observed are unknown, not 0.
UPDATE token_markets m SET liquidity_position = last_position,
  liquidity_in_sol = CASE WHEN last_position = '' THEN NULL ELSE liquidity_in_sol END,
  holder_count = CASE WHEN EXISTS (SELECT FROM holder_stats h WHERE h.mint_address = m.mint_address) THEN holder_count END;
