CREATE TABLE "fee_claims" (
	"transaction_signature" text NOT NULL,
	"outer_index" integer NOT NULL,
	"inner_index" integer NOT NULL,
	"mint_address" text NOT NULL,
	"pool_address" text NOT NULL,
	"kind" text NOT NULL,
	"claimant_wallet" text NOT NULL,
	"position_address" text,
	"recipient_wallet" text NOT NULL,
	"amount_lamports" numeric NOT NULL,
	"slot" bigint NOT NULL,
	"claimed_at" timestamp with time zone NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	CONSTRAINT "fee_claims_pk" PRIMARY KEY("transaction_signature","outer_index","inner_index"),
	CONSTRAINT "fee_claims_status" CHECK ("fee_claims"."status" in ('pending', 'distributed', 'other')),
	CONSTRAINT "fee_claims_amount" CHECK ("fee_claims"."amount_lamports" > 0 and "fee_claims"."slot" >= 0)
);
--> statement-breakpoint
CREATE TABLE "fee_pools" (
	"mint_address" text PRIMARY KEY NOT NULL,
	"pool_address" text NOT NULL,
	"config_address" text,
	"partner_wallet" text,
	"amm_pool_address" text,
	"read_slot" bigint,
	"checked_at" timestamp with time zone NOT NULL,
	"problem" text,
	CONSTRAINT "fee_pools_slot" CHECK ("fee_pools"."read_slot" >= 0)
);
--> statement-breakpoint
CREATE TABLE "fee_positions" (
	"position_address" text PRIMARY KEY NOT NULL,
	"mint_address" text NOT NULL,
	"owner_wallet" text NOT NULL,
	"nft_mint_address" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "fee_claimables" ADD COLUMN "source" text DEFAULT 'feed' NOT NULL;--> statement-breakpoint
ALTER TABLE "fee_distributions" ADD COLUMN "source" text DEFAULT 'feed' NOT NULL;--> statement-breakpoint
ALTER TABLE "fee_states" ADD COLUMN "distributed_lamports" numeric;--> statement-breakpoint
ALTER TABLE "fee_states" ADD COLUMN "source" text DEFAULT 'feed' NOT NULL;--> statement-breakpoint
ALTER TABLE "tokens" ADD COLUMN "staking_vaults" text[];--> statement-breakpoint
ALTER TABLE "tokens" ADD COLUMN "tokenomics_vaults" text[];--> statement-breakpoint
ALTER TABLE "fee_claims" ADD CONSTRAINT "fee_claims_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fee_pools" ADD CONSTRAINT "fee_pools_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fee_positions" ADD CONSTRAINT "fee_positions_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "fee_claims_pending" ON "fee_claims" USING btree ("mint_address") WHERE "fee_claims"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "fee_pools_problem" ON "fee_pools" USING btree ("mint_address") WHERE "fee_pools"."problem" is not null;--> statement-breakpoint
CREATE INDEX "fee_positions_mint" ON "fee_positions" USING btree ("mint_address");--> statement-breakpoint
CREATE INDEX "fee_distributions_of_pools" ON "fee_distributions" USING btree ("mint_address","slot" DESC NULLS FIRST,"ordinal" DESC NULLS FIRST) WHERE "fee_distributions"."source" = 'chain' or "fee_distributions"."role" = 'stakers';--> statement-breakpoint
ALTER TABLE "fee_claimables" ADD CONSTRAINT "fee_claimables_source" CHECK ("fee_claimables"."source" in ('feed', 'chain'));--> statement-breakpoint
ALTER TABLE "fee_distributions" ADD CONSTRAINT "fee_distributions_source" CHECK ("fee_distributions"."source" in ('feed', 'chain'));--> statement-breakpoint
ALTER TABLE "fee_states" ADD CONSTRAINT "fee_states_source" CHECK ("fee_states"."source" in ('feed', 'chain'));--> statement-breakpoint
ALTER TABLE "fee_states" ADD CONSTRAINT "fee_states_distributed" CHECK ("fee_states"."distributed_lamports" >= 0);--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE ON fee_pools TO launchwire_worker;
GRANT SELECT, INSERT ON fee_positions TO launchwire_worker;
GRANT SELECT, INSERT, UPDATE (status) ON fee_claims TO launchwire_worker;
