DROP INDEX "webhook_deliveries_due";--> statement-breakpoint
DROP INDEX "webhook_deliveries_leases";--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("next_attempt_at") WHERE "webhook_deliveries"."status" in ('pending', 'retrying') and "webhook_deliveries"."lease_expires_at" is null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_leases" ON "webhook_deliveries" USING btree ("lease_expires_at") WHERE "webhook_deliveries"."status" = 'processing' and "webhook_deliveries"."lease_expires_at" is not null;