-- Expand only (decisions/0076). What each wallet has bought and sold of each token, folded in the transaction that stores trades.
CREATE TABLE "token_traders" (
	"mint_address" text NOT NULL,
	"trader_wallet" text NOT NULL,
	"buy_count" integer NOT NULL,
	"sell_count" integer NOT NULL,
	"bought_token" numeric NOT NULL,
	"bought_in_sol" numeric NOT NULL,
	"sold_token" numeric NOT NULL,
	"sold_in_sol" numeric NOT NULL,
	"sold_cost_in_sol" numeric NOT NULL,
	"uncovered_token" numeric NOT NULL,
	"uncovered_in_sol" numeric NOT NULL,
	"realised_in_sol" numeric NOT NULL,
	"first_trade_at" timestamp with time zone NOT NULL,
	"first_slot" bigint NOT NULL,
	"last_trade_at" timestamp with time zone NOT NULL,
	"last_buy_at" timestamp with time zone,
	"last_sell_at" timestamp with time zone,
	"last_position" text NOT NULL,
	CONSTRAINT "token_traders_pk" PRIMARY KEY("trader_wallet","mint_address"),
	CONSTRAINT "token_traders_counts" CHECK ("token_traders"."buy_count" >= 0 and "token_traders"."sell_count" >= 0 and "token_traders"."buy_count" + "token_traders"."sell_count" > 0),
	CONSTRAINT "token_traders_held" CHECK ("token_traders"."bought_token" >= "token_traders"."sold_token" - "token_traders"."uncovered_token" and "token_traders"."bought_in_sol" >= "token_traders"."sold_cost_in_sol")
);
--> statement-breakpoint
CREATE INDEX "token_traders_recent" ON "token_traders" USING btree ("mint_address","last_trade_at");--> statement-breakpoint
CREATE INDEX "token_traders_realised" ON "token_traders" USING btree ("mint_address","realised_in_sol" DESC NULLS FIRST) WHERE "token_traders"."realised_in_sol" > 0;--> statement-breakpoint
CREATE TABLE "trader_bases" (
	"mint_address" text NOT NULL,
	"trader_wallet" text NOT NULL,
	"through" text NOT NULL,
	"state" jsonb,
	CONSTRAINT "trader_bases_pk" PRIMARY KEY("trader_wallet","mint_address")
);
--> statement-breakpoint
CREATE TABLE "trader_recounts" (
	"mint_address" text NOT NULL,
	"trader_wallet" text NOT NULL,
	"from_slot" bigint NOT NULL,
	CONSTRAINT "trader_recounts_pk" PRIMARY KEY("mint_address","trader_wallet")
);
--> statement-breakpoint
CREATE TABLE "trader_backfills" (
	"mint_address" text PRIMARY KEY NOT NULL,
	"through" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX "trades_wallet" ON "trades" USING btree ("trader_wallet","slot" DESC NULLS FIRST);--> statement-breakpoint
-- Statements that do not count traders themselves, such as those of the release before, leave their pairs to the worker.
CREATE FUNCTION note_uncounted_traders() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.trader_recounts AS r (mint_address, trader_wallet, from_slot)
  SELECT mint_address, trader_wallet, min(slot) FROM changed GROUP BY mint_address, trader_wallet ORDER BY mint_address, trader_wallet
  ON CONFLICT (mint_address, trader_wallet) DO UPDATE SET from_slot = least(r.from_slot, excluded.from_slot);
  RETURN NULL;
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION note_uncounted_traders() FROM PUBLIC;
--> statement-breakpoint
CREATE TRIGGER traders_uncounted AFTER INSERT ON trades REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT WHEN (coalesce(current_setting('launchwire.counts_traders', true), '') <> 'yes') EXECUTE FUNCTION note_uncounted_traders();
--> statement-breakpoint
CREATE TRIGGER traders_uncounted_reversals AFTER DELETE ON trades REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT WHEN (coalesce(current_setting('launchwire.counts_traders', true), '') <> 'yes') EXECUTE FUNCTION note_uncounted_traders();
--> statement-breakpoint
-- The index has waited for trades that were being stored; later ones are noted by the trigger.
INSERT INTO trader_backfills (mint_address)
  SELECT mint_address FROM tokens WHERE EXISTS (SELECT FROM trades WHERE trades.mint_address = tokens.mint_address);
--> statement-breakpoint
GRANT SELECT ON token_traders, trader_recounts, trader_backfills TO launchwire_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON token_traders, trader_bases, trader_recounts TO launchwire_worker;
GRANT SELECT, UPDATE, DELETE ON trader_backfills TO launchwire_worker;
-- The largest holders of a token are public facts of the chain.
GRANT SELECT ON holder_accounts, holder_counting TO launchwire_api;
