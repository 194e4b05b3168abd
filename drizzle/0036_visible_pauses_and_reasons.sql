-- Expand only: columns without a value in old rows, so no table is rewritten. Why an attempt failed and at which hop, and which answer
-- paused an endpoint. The check reads the endpoints, some 30 ms for 100,000.
ALTER TABLE "webhook_attempts" ADD COLUMN "error_reason" text;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD COLUMN "hop_origin" text;--> statement-breakpoint
GRANT SELECT (error_reason, hop_origin) ON webhook_attempts TO launchwire_api;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "pause_reason" text;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_pause_reason" CHECK ("webhook_endpoints"."pause_reason" in ('http_429', 'http_503'));--> statement-breakpoint
GRANT UPDATE (pause_reason) ON webhook_endpoints TO launchwire_relay;
