-- The watcher of signatures asks for the newest jobs some times a second. The table holds the submissions under way:
-- building the index takes milliseconds.
CREATE INDEX "intent_broadcasts_queued" ON "intent_broadcasts" USING btree ("created_at");
