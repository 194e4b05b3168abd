-- Expand only. The account that gets the platform fees of a customer's swaps (decisions/0061). Operators write it with the role of the
-- migrations; the api reads it for a swap that names a fee.
CREATE TABLE "platform_fee_accounts" (
	"account_id" uuid PRIMARY KEY NOT NULL,
	"address" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "platform_fee_accounts_address" CHECK ("platform_fee_accounts"."address" ~ '^[1-9A-HJ-NP-Za-km-z]{32,44}$')
);
--> statement-breakpoint
ALTER TABLE "platform_fee_accounts" ADD CONSTRAINT "platform_fee_accounts_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
GRANT SELECT ON platform_fee_accounts TO launchwire_api;
