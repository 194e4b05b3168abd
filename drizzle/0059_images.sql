-- Images that accounts have uploaded (decisions/0082). Expand only: the release before neither writes nor reads them.
CREATE TABLE "images" (
	"account_id" uuid NOT NULL,
	"source_hash" text NOT NULL,
	"hash" text NOT NULL,
	"content_type" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"byte_length" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "images_pk" PRIMARY KEY("account_id","source_hash"),
	CONSTRAINT "images_hashes" CHECK ("images"."source_hash" ~ '^[0-9a-f]{64}$' and "images"."hash" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "images_sizes" CHECK ("images"."width" > 0 and "images"."height" > 0 and "images"."byte_length" > 0)
);
--> statement-breakpoint
ALTER TABLE "images" ADD CONSTRAINT "images_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "images_hash" ON "images" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "images_account_recent" ON "images" USING btree ("account_id","created_at");--> statement-breakpoint
GRANT SELECT, INSERT ON images TO launchwire_api;
