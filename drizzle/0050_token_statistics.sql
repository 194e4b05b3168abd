-- Expand only. What statistics by windows are read from (decisions/0074).
--
-- The part of the buys in each bar, and of how many trades it knows the side. The release before runs beside this one and writes bars
-- without these columns: they count fewer sides than trades, and their sides are read from the trades.
ALTER TABLE "candles" ADD COLUMN "buy_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "candles" ADD COLUMN "buy_volume_in_sol" numeric DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "candles" ADD COLUMN "buy_volume_in_token" numeric DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "candles" ADD COLUMN "sides_counted" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Which tokens were traded in an hour: one entry for each, written with its first trade.
CREATE INDEX "candles_hours" ON "candles" USING btree ("open_time","mint_address") WHERE "candles"."interval" = '1h';--> statement-breakpoint
CREATE INDEX "tokens_graduated" ON "tokens" USING btree ("graduated_at") WHERE not "tokens"."hidden" and "tokens"."graduated_at" is not null;--> statement-breakpoint
ALTER TABLE "token_pools" ADD COLUMN "graduation_threshold_in_sol" numeric;--> statement-breakpoint
ALTER TABLE "token_pools" ADD CONSTRAINT "token_pools_graduation_threshold" CHECK ("token_pools"."graduation_threshold_in_sol" > 0);--> statement-breakpoint
GRANT SELECT (graduation_threshold_in_sol, mint_address, pool_address, program) ON token_pools TO launchwire_api;--> statement-breakpoint
-- The totals of the platform, which one worker computes anew every few seconds.
CREATE TABLE "market_overview" (
	"only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"as_of" timestamp with time zone,
	"computed_at" timestamp with time zone,
	"body" json,
	CONSTRAINT "market_overview_only_row" CHECK ("market_overview"."only_row"),
	CONSTRAINT "market_overview_whole" CHECK (("market_overview"."as_of" is null) = ("market_overview"."body" is null) and ("market_overview"."computed_at" is null) = ("market_overview"."body" is null))
);
--> statement-breakpoint
INSERT INTO "market_overview" ("only_row") VALUES (true);--> statement-breakpoint
GRANT SELECT ON market_overview TO launchwire_api;--> statement-breakpoint
GRANT SELECT, UPDATE (as_of, body, computed_at) ON market_overview TO launchwire_worker;--> statement-breakpoint
GRANT SELECT ON stream_progress TO launchwire_worker;
