-- What is left to do with an event has tables of its own (decisions/0089). The function of the trigger has a new name: the text
-- of an old one would be replaced only later, and events that processes insert in between would have no rows there.
CREATE TABLE "events_to_fan_out" (
	"event_id" uuid PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "events_to_publish" (
	"event_id" uuid PRIMARY KEY NOT NULL
);
--> statement-breakpoint
LOCK TABLE events IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
INSERT INTO events_to_publish (event_id) SELECT id FROM events WHERE published_at IS NULL;--> statement-breakpoint
INSERT INTO events_to_fan_out (event_id) SELECT id FROM events WHERE fanned_out_at IS NULL;--> statement-breakpoint
DROP TRIGGER events_logged ON events;--> statement-breakpoint
CREATE TRIGGER events_opened AFTER INSERT ON events REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION open_events();--> statement-breakpoint
DROP FUNCTION log_events;--> statement-breakpoint
DROP INDEX "events_unpublished";--> statement-breakpoint
DROP INDEX "events_not_fanned_out";--> statement-breakpoint
ALTER TABLE "events" DROP COLUMN "published_at";--> statement-breakpoint
ALTER TABLE "events" DROP COLUMN "fanned_out_at";--> statement-breakpoint
GRANT SELECT ON events_to_fan_out TO launchwire_worker;--> statement-breakpoint
GRANT SELECT, DELETE ON events_to_fan_out TO launchwire_relay;--> statement-breakpoint
GRANT SELECT, UPDATE, DELETE ON events_to_publish TO launchwire_worker;
