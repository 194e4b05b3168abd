-- Batches that the chain indexer read and that are not final yet (contract/ingest#finality). They were kept in the memory of one
-- worker, and the next one knew the last of each pool. Expand only: the release before neither writes nor reads them.
CREATE TABLE "unfinal_batches" (
	"pool_address" text NOT NULL,
	"signature" text NOT NULL,
	"slot" bigint NOT NULL,
	"noted_at" timestamp with time zone NOT NULL,
	"taken_back_at" timestamp with time zone,
	CONSTRAINT "unfinal_batches_pool_address_signature_slot_pk" PRIMARY KEY("pool_address","signature","slot")
);
--> statement-breakpoint
GRANT SELECT, INSERT, DELETE, UPDATE (taken_back_at) ON unfinal_batches TO launchwire_worker;
