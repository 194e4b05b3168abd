-- The keys that running workers have, by a value derived from each, which opens nothing (decisions/0101). Expand only: empty until the first
-- worker of this release runs, and the release before does not read it.
CREATE TABLE "worker_keys" (
	"purpose" text NOT NULL,
	"key_check" "bytea" NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "worker_keys_purpose_key_check_pk" PRIMARY KEY("purpose","key_check"),
	CONSTRAINT "worker_keys_purpose" CHECK ("worker_keys"."purpose" in ('orders', 'result_links')),
	CONSTRAINT "worker_keys_key_check" CHECK (octet_length("worker_keys"."key_check") = 32)
);
--> statement-breakpoint
GRANT SELECT ON worker_keys TO launchwire_api;--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE (seen_at) ON worker_keys TO launchwire_worker;
