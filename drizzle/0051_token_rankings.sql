-- Lists of tokens sorted by what the market does, and tokens found by a name with a mistake in it (decisions/0075). Expand only: a
-- worker of this release fills the tables, and nothing of the release before reads or writes them.
--
-- A trusted extension: who owns the database may create it. Where a provider gives that right to nobody, it is created beforehand.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported THEN
  RAISE EXCEPTION 'the extension pg_trgm cannot be created here: %', SQLERRM
    USING HINT = 'Let an administrator of the server run: CREATE EXTENSION pg_trgm WITH SCHEMA public';
END $$;
--> statement-breakpoint
CREATE TABLE "ranking_progress" (
	"only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"log_position" bigint,
	"swept_through" bigint,
	"prominent_at" timestamp with time zone,
	CONSTRAINT "ranking_progress_only_row" CHECK ("ranking_progress"."only_row")
);
--> statement-breakpoint
CREATE TABLE "token_names" (
	"mint_address" text PRIMARY KEY NOT NULL,
	"ordinal" bigint NOT NULL,
	"symbol_key" text NOT NULL,
	"name_key" text NOT NULL,
	"terms" text NOT NULL,
	"prominent" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "token_rankings" (
	"mint_address" text PRIMARY KEY NOT NULL,
	"ordinal" bigint NOT NULL,
	"status" text NOT NULL,
	"launch_type" text NOT NULL,
	"listed" boolean NOT NULL,
	"market_cap_in_sol" numeric DEFAULT '-Infinity' NOT NULL,
	"volume_in_sol_24h" numeric DEFAULT '0' NOT NULL,
	"trade_count_1h" integer DEFAULT 0 NOT NULL,
	"price_change_percent_1h" numeric DEFAULT '-Infinity' NOT NULL,
	"graduation_progress" numeric DEFAULT '-Infinity' NOT NULL,
	"last_trade_at" timestamp with time zone DEFAULT '-Infinity' NOT NULL,
	"due_at" timestamp with time zone,
	CONSTRAINT "token_rankings_status" CHECK ("token_rankings"."status" in ('pending', 'pending_launch_init', 'pending_escrows', 'pending_finalization', 'bonding', 'pre_raise_pending', 'pre_raising', 'pre_raise_settling', 'pre_raise_refunding', 'pre_raise_failed', 'graduating_migration_pending', 'graduated', 'graduation_failed', 'expired', 'cancelled', 'failed')),
	CONSTRAINT "token_rankings_launch_type" CHECK ("token_rankings"."launch_type" in ('dbc', 'pre_raise'))
);
--> statement-breakpoint
ALTER TABLE "token_names" ADD CONSTRAINT "token_names_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "token_rankings" ADD CONSTRAINT "token_rankings_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "token_names_symbol" ON "token_names" USING btree ("symbol_key" text_pattern_ops,"ordinal" DESC NULLS FIRST);
--> statement-breakpoint
CREATE INDEX "token_names_name" ON "token_names" USING btree ("name_key" text_pattern_ops,"ordinal" DESC NULLS FIRST);
--> statement-breakpoint
CREATE INDEX "token_names_mint" ON "token_names" USING btree ("mint_address" text_pattern_ops);
--> statement-breakpoint
CREATE INDEX "token_names_prominent" ON "token_names" USING btree ("mint_address") WHERE "token_names"."prominent";
--> statement-breakpoint
CREATE INDEX "token_names_similar" ON "token_names" USING gin ("terms" gin_trgm_ops) WHERE "token_names"."prominent";
--> statement-breakpoint
CREATE INDEX "token_rankings_market_cap" ON "token_rankings" USING btree ("market_cap_in_sol" DESC NULLS FIRST,"ordinal" DESC NULLS FIRST) WHERE "token_rankings"."listed";
--> statement-breakpoint
CREATE INDEX "token_rankings_status_market_cap" ON "token_rankings" USING btree ("status","market_cap_in_sol" DESC NULLS FIRST,"ordinal" DESC NULLS FIRST) WHERE "token_rankings"."listed";
--> statement-breakpoint
CREATE INDEX "token_rankings_volume_24h" ON "token_rankings" USING btree ("volume_in_sol_24h" DESC NULLS FIRST,"ordinal" DESC NULLS FIRST) WHERE "token_rankings"."listed";
--> statement-breakpoint
CREATE INDEX "token_rankings_status_volume_24h" ON "token_rankings" USING btree ("status","volume_in_sol_24h" DESC NULLS FIRST,"ordinal" DESC NULLS FIRST) WHERE "token_rankings"."listed";
--> statement-breakpoint
CREATE INDEX "token_rankings_trades_1h" ON "token_rankings" USING btree ("trade_count_1h" DESC NULLS FIRST,"ordinal" DESC NULLS FIRST) WHERE "token_rankings"."listed";
--> statement-breakpoint
CREATE INDEX "token_rankings_status_trades_1h" ON "token_rankings" USING btree ("status","trade_count_1h" DESC NULLS FIRST,"ordinal" DESC NULLS FIRST) WHERE "token_rankings"."listed";
--> statement-breakpoint
CREATE INDEX "token_rankings_price_change_1h" ON "token_rankings" USING btree ("price_change_percent_1h" DESC NULLS FIRST,"ordinal" DESC NULLS FIRST) WHERE "token_rankings"."listed";
--> statement-breakpoint
CREATE INDEX "token_rankings_status_price_change_1h" ON "token_rankings" USING btree ("status","price_change_percent_1h" DESC NULLS FIRST,"ordinal" DESC NULLS FIRST) WHERE "token_rankings"."listed";
--> statement-breakpoint
CREATE INDEX "token_rankings_graduation" ON "token_rankings" USING btree ("graduation_progress" DESC NULLS FIRST,"ordinal" DESC NULLS FIRST) WHERE "token_rankings"."listed";
--> statement-breakpoint
CREATE INDEX "token_rankings_status_graduation" ON "token_rankings" USING btree ("status","graduation_progress" DESC NULLS FIRST,"ordinal" DESC NULLS FIRST) WHERE "token_rankings"."listed";
--> statement-breakpoint
CREATE INDEX "token_rankings_last_trade" ON "token_rankings" USING btree ("last_trade_at" DESC NULLS FIRST,"ordinal" DESC NULLS FIRST) WHERE "token_rankings"."listed";
--> statement-breakpoint
CREATE INDEX "token_rankings_status_last_trade" ON "token_rankings" USING btree ("status","last_trade_at" DESC NULLS FIRST,"ordinal" DESC NULLS FIRST) WHERE "token_rankings"."listed";
--> statement-breakpoint
CREATE INDEX "token_rankings_due" ON "token_rankings" USING btree ("due_at") WHERE "token_rankings"."due_at" is not null;
--> statement-breakpoint
CREATE INDEX "tokens_creator" ON "tokens" USING btree ("creator_wallet","ordinal" DESC NULLS FIRST) WHERE not "tokens"."hidden";
--> statement-breakpoint
INSERT INTO "ranking_progress" DEFAULT VALUES;
--> statement-breakpoint
-- Prominent tokens with a similar symbol or name, and how similar. The setting belongs to the function: a pooler passes on none of a
-- client. Half of the parts of a short word are wrong after one mistake. With the rights of its owner, so that the api needs none on the
-- functions of the extension, which may belong to another user.
CREATE FUNCTION similar_tokens(wanted text) RETURNS TABLE (mint_address text, similarity real)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off
SET pg_trgm.word_similarity_threshold = 0.4 AS $$
  SELECT n.mint_address, public.word_similarity(wanted, n.terms) FROM public.token_names n
  WHERE n.prominent AND wanted OPERATOR(public.<%) n.terms
$$;
--> statement-breakpoint
-- Rows are rewritten while their token is traded, so their indexes are cleaned before they grow.
ALTER TABLE token_rankings SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.1);
--> statement-breakpoint
GRANT SELECT ON token_rankings, token_names TO launchwire_api;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE ON token_rankings, token_names TO launchwire_worker;
--> statement-breakpoint
GRANT SELECT, UPDATE (log_position, swept_through, prominent_at) ON ranking_progress TO launchwire_worker;
--> statement-breakpoint
-- The worker follows the log of streams: what the triggers of 0023 write is all that these tables depend on.
GRANT EXECUTE ON FUNCTION read_stream_log(bigint, integer) TO launchwire_worker;
--> statement-breakpoint
GRANT SELECT (id) ON stream_log TO launchwire_worker;
--> statement-breakpoint
-- A threshold that is learned later is no entry of the log.
CREATE FUNCTION rank_threshold() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE public.token_rankings SET due_at = '-infinity' WHERE mint_address = NEW.mint_address;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER threshold_ranked AFTER INSERT OR UPDATE OF graduation_threshold_in_sol ON token_pools
  FOR EACH ROW WHEN (NEW.graduation_threshold_in_sol IS NOT NULL) EXECUTE FUNCTION rank_threshold();
--> statement-breakpoint
REVOKE ALL ON FUNCTION rank_threshold(), similar_tokens(text) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION similar_tokens(text) TO launchwire_api;
