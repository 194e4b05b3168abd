CREATE TABLE "holder_accounts" (
	"mint_address" text NOT NULL,
	"account_address" text NOT NULL,
	"owner_address" text NOT NULL,
	"balance_raw" numeric NOT NULL,
	"slot" bigint NOT NULL,
	"place" integer NOT NULL,
	CONSTRAINT "holder_accounts_mint_address_account_address_pk" PRIMARY KEY("mint_address","account_address"),
	CONSTRAINT "holder_accounts_balance" CHECK ("holder_accounts"."balance_raw" >= 0)
);
--> statement-breakpoint
CREATE TABLE "holder_counting" (
	"mint_address" text PRIMARY KEY NOT NULL,
	"is_followed" boolean DEFAULT true NOT NULL,
	"snapshot_slot" bigint,
	"merging_slot" bigint,
	"required_slot" bigint DEFAULT 0 NOT NULL,
	"seen_slot" bigint DEFAULT 0 NOT NULL,
	"latest_slot" bigint,
	"latest_at" timestamp with time zone,
	"holder_count" integer,
	"protocol_accounts" text[] NOT NULL,
	"next_snapshot_at" timestamp with time zone NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "holder_counting_count" CHECK ("holder_counting"."holder_count" >= 0)
);
--> statement-breakpoint
ALTER TABLE "holder_counting" ADD CONSTRAINT "holder_counting_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "holder_accounts_owner" ON "holder_accounts" USING btree ("mint_address","owner_address") WHERE "holder_accounts"."balance_raw" > 0;--> statement-breakpoint
CREATE INDEX "holder_counting_due" ON "holder_counting" USING btree ("next_snapshot_at");--> statement-breakpoint
CREATE INDEX "holder_counting_new" ON "holder_counting" USING btree ("next_snapshot_at") WHERE "holder_counting"."snapshot_slot" is null and "holder_counting"."failures" = 0;--> statement-breakpoint
-- Only the worker counts; the api reads what was counted from holder_stats.
GRANT SELECT, INSERT, UPDATE ON holder_counting TO launchwire_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON holder_accounts TO launchwire_worker;
