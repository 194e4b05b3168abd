-- Expand only: the release before names no column that is new here, and its events get the default.
CREATE TABLE "event_order" (
	"only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"cluster" text NOT NULL,
	CONSTRAINT "event_order_only_row" CHECK ("event_order"."only_row")
);
--> statement-breakpoint
-- Events that are stored already get a constant, which rewrites nothing: they come before all others.
ALTER TABLE "events" ADD COLUMN "recorded_in" "xid8" DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "events" ALTER COLUMN "recorded_in" SET DEFAULT pg_current_xact_id();--> statement-breakpoint
CREATE INDEX "events_public" ON "events" USING btree ("type","recorded_in","id") WHERE "events"."account_id" is null;--> statement-breakpoint
CREATE INDEX "events_account" ON "events" USING btree ("account_id","type","recorded_in","id") WHERE "events"."account_id" is not null;--> statement-breakpoint
CREATE INDEX "events_subject" ON "events" USING btree ("subject","recorded_in","id");--> statement-breakpoint
-- The api shows subscribers their events.
GRANT SELECT (id, type, subject, account_id, body, recorded_in) ON events TO launchwire_api;
-- A recovery makes the deliveries of events that found their endpoint disabled.
GRANT SELECT (event_types, subjects, event_scopes, created_at) ON webhook_endpoints TO launchwire_worker;
GRANT INSERT (id, endpoint_id, event_id, event_type, status, next_attempt_at, created_at, updated_at)
  ON webhook_deliveries TO launchwire_worker;
