-- Bars hold the prices that count: a trade so small that its own price is rounding has none (decisions/0097). Expand only: the release
-- before writes all four prices, and reads a bar without them as one that repeats the previous close. No row is read or rewritten.
ALTER TABLE "candles" ALTER COLUMN "open" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "candles" ALTER COLUMN "high" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "candles" ALTER COLUMN "low" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "candles" ALTER COLUMN "close" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "candles" ADD COLUMN "paid_open_position" text;--> statement-breakpoint
ALTER TABLE "candles" ADD COLUMN "paid_close_position" text;--> statement-breakpoint
ALTER TABLE "candles" ADD COLUMN "market_high" numeric;--> statement-breakpoint
ALTER TABLE "candles" ADD COLUMN "market_low" numeric;
