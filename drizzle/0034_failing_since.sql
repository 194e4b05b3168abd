-- Since when every attempt to an endpoint failed. The look at an endpoint that fails was made of all its deliveries and attempts, and
-- grew with their square. Empty at first: an endpoint that fails already has its five days from its next failure on.
ALTER TABLE "webhook_endpoints" ADD COLUMN "failing_since" timestamp with time zone;--> statement-breakpoint
-- The few that fail, among which every batch of successes looks for its endpoints.
CREATE INDEX "webhook_endpoints_failing" ON "webhook_endpoints" USING btree ("id") WHERE "webhook_endpoints"."failing_since" is not null;--> statement-breakpoint
-- Relays keep no copy of it, so that they need not read an endpoint again because of it.
DROP TRIGGER webhook_endpoints_stamp ON "webhook_endpoints";--> statement-breakpoint
CREATE TRIGGER webhook_endpoints_stamp BEFORE INSERT ON "webhook_endpoints"
  FOR EACH ROW EXECUTE FUNCTION stamp_changed_endpoint();--> statement-breakpoint
CREATE TRIGGER webhook_endpoints_stamp_change BEFORE UPDATE ON "webhook_endpoints"
  FOR EACH ROW WHEN (to_jsonb(OLD) - 'failing_since' IS DISTINCT FROM to_jsonb(NEW) - 'failing_since')
  EXECUTE FUNCTION stamp_changed_endpoint();--> statement-breakpoint
GRANT UPDATE (failing_since) ON webhook_endpoints TO launchwire_relay;
