-- The name of the config that a launch was prepared under, and the list of launches of an account. Expand only: the release before
-- stores no name.
ALTER TABLE "launches" ADD COLUMN "config_name" text;
--> statement-breakpoint
CREATE INDEX "launches_account" ON "launches" USING btree ("account_id","status","id");
