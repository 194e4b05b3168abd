-- Expand only: the release before names nothing that is new here, and its relays go on claiming rows. No table is rewritten: the
-- column has no value in old rows, and its default is set afterwards. The index holds the rows changed from now on, none at first;
-- reading 100,000 endpoints for it takes 30 ms, in which endpoints are not changed. Deliveries are not touched.
CREATE UNLOGGED TABLE "event_leases" (
	"event_id" uuid PRIMARY KEY NOT NULL,
	"relay_id" uuid NOT NULL,
	"lease_expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "relay_members" (
	"id" uuid PRIMARY KEY NOT NULL,
	"view" uuid[] NOT NULL,
	"beat_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "event_leases_expiry" ON "event_leases" USING btree ("lease_expires_at");--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "changed_xid" xid8;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ALTER COLUMN "changed_xid" SET DEFAULT pg_current_xact_id();--> statement-breakpoint
CREATE INDEX "webhook_endpoints_changed" ON "webhook_endpoints" USING btree ("changed_xid") WHERE "webhook_endpoints"."changed_xid" is not null;--> statement-breakpoint
CREATE FUNCTION stamp_changed_endpoint() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  NEW.changed_xid := pg_current_xact_id();
  RETURN NEW;
END
$$;--> statement-breakpoint
CREATE TRIGGER webhook_endpoints_stamp BEFORE INSERT OR UPDATE ON "webhook_endpoints"
  FOR EACH ROW EXECUTE FUNCTION stamp_changed_endpoint();--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON event_leases, relay_members TO launchwire_relay;
