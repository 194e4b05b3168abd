CREATE TABLE "source_proofs" (
	"mint_address" text PRIMARY KEY NOT NULL,
	"through" timestamp with time zone NOT NULL,
	"slot" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "prediction_rounds" ADD COLUMN "void_reason" text;--> statement-breakpoint
ALTER TABLE "candles" ADD COLUMN "spot_open" numeric;--> statement-breakpoint
ALTER TABLE "candles" ADD COLUMN "spot_high" numeric;--> statement-breakpoint
ALTER TABLE "candles" ADD COLUMN "spot_low" numeric;--> statement-breakpoint
ALTER TABLE "candles" ADD COLUMN "spot_close" numeric;--> statement-breakpoint
ALTER TABLE "candles" ADD COLUMN "spot_open_position" text;--> statement-breakpoint
ALTER TABLE "candles" ADD COLUMN "spot_close_position" text;--> statement-breakpoint
ALTER TABLE "candles" ADD COLUMN "spot_counted" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "source_proofs" ADD CONSTRAINT "source_proofs_mint_address_tokens_mint_address_fk" FOREIGN KEY ("mint_address") REFERENCES "public"."tokens"("mint_address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prediction_rounds" ADD CONSTRAINT "prediction_rounds_void_reason" CHECK ("prediction_rounds"."void_reason" in ('cancelled', 'no_price', 'source_not_proven') and ("prediction_rounds"."void_reason" is null or "prediction_rounds"."status" = 'voided'));--> statement-breakpoint
-- Rewritten every few seconds: room on the page, so that no index is touched.
ALTER TABLE "source_proofs" SET (fillfactor = 50);--> statement-breakpoint
GRANT SELECT ON source_proofs TO launchwire_api;--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE ON source_proofs TO launchwire_worker;
