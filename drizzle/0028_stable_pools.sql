-- Why a pool is not read has one more value. The table has a row or two for each token, so the check is proven in milliseconds.
ALTER TABLE "token_pools" DROP CONSTRAINT "token_pools_reason";--> statement-breakpoint
ALTER TABLE "token_pools" ADD CONSTRAINT "token_pools_reason" CHECK ("token_pools"."unusable_reason" in ('other_program', 'mint_differs', 'quote_is_not_sol', 'stable_pool', 'unreadable'));
