-- Fees that a wallet can claim (decisions/0079). Expand only: the release before neither writes nor reads the new columns, and the
-- worker of this release fills them when it next reads a pool, within 15 minutes.
ALTER TABLE "fee_pools" ADD COLUMN "creator_wallet" text;--> statement-breakpoint
ALTER TABLE "fee_pools" ADD COLUMN "leftover_wallet" text;--> statement-breakpoint
CREATE INDEX "fee_pools_creator" ON "fee_pools" USING btree ("creator_wallet","mint_address" COLLATE "C");--> statement-breakpoint
CREATE INDEX "fee_pools_partner" ON "fee_pools" USING btree ("partner_wallet","mint_address" COLLATE "C");--> statement-breakpoint
CREATE INDEX "fee_pools_leftover" ON "fee_pools" USING btree ("leftover_wallet","mint_address" COLLATE "C");--> statement-breakpoint
CREATE INDEX "fee_positions_nft" ON "fee_positions" USING btree ("nft_mint_address");--> statement-breakpoint
CREATE INDEX "tokens_creator_pools" ON "tokens" USING btree ("creator_wallet","mint_address" COLLATE "C") WHERE not "tokens"."hidden" and "tokens"."listed" and "tokens"."pool_address" is not null;--> statement-breakpoint
GRANT SELECT (mint_address, creator_wallet, partner_wallet, leftover_wallet, amm_pool_address) ON fee_pools TO launchwire_api;
GRANT SELECT (position_address, mint_address, nft_mint_address) ON fee_positions TO launchwire_api;
