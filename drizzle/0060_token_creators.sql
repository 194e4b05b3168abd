-- The creator of a token's pool can change (contract/tokens#creator). The slot at which the pool showed the stored creator: an older reading
-- does not replace it, and reports of feeds count only without one. Expand only: the release before ignores the column; a feed's report
-- that it stores is replaced at the next reading of the pool.
ALTER TABLE "tokens" ADD COLUMN "creator_slot" bigint;
