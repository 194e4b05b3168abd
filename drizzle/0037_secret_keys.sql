-- Expand only. The keys that processes were started with, by a value derived from each, which opens nothing: a process that has another
-- one ends at its start. Empty at first: the first process of this release compares its keys with the stored secrets, and enters them.
CREATE TABLE "secret_keys" (
	"key_check" "bytea" PRIMARY KEY NOT NULL,
	"is_sealing" boolean NOT NULL,
	"is_known_to_relay" boolean NOT NULL,
	CONSTRAINT "secret_keys_key_check" CHECK (octet_length("secret_keys"."key_check") = 32)
);
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE (is_sealing) ON secret_keys TO launchwire_api;--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE (is_sealing, is_known_to_relay) ON secret_keys TO launchwire_relay;
