-- Expand only: the release before writes endpoints without subjects, which means all; its relay does not look at them.
DROP INDEX "webhook_endpoints_subscribed";--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "subjects" text[];--> statement-breakpoint
CREATE INDEX "webhook_endpoints_subscribed" ON "webhook_endpoints" USING gin ("event_types",(coalesce("subjects", '{*}'::text[]))) WITH (fastupdate=false) WHERE "webhook_endpoints"."deleted_at" is null and "webhook_endpoints"."status" = 'enabled';--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_subjects" CHECK (cardinality("webhook_endpoints"."subjects") between 1 and 100);