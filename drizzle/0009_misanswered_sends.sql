ALTER TABLE "intent_broadcasts" ADD COLUMN "misanswered" boolean DEFAULT false NOT NULL;--> statement-breakpoint
GRANT UPDATE (misanswered) ON intent_broadcasts TO launchwire_worker;
