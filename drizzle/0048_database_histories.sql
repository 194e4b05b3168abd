-- Which histories of the database the workers have met, and since when (decisions/0072). Before an intent expires that is older than
-- the present one, its transaction is looked for on the chain: its submission may have been lost. Expand only: the release before
-- expires by time alone.
CREATE TABLE "database_histories" (
	"history" text PRIMARY KEY NOT NULL,
	"met_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
-- Another one after a promotion, in another cluster, and where ingest has found that the database went back (decisions/0048). A
-- dump that was restored into the cluster of its origin is found by `migrate`.
CREATE FUNCTION database_history() RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT concat_ws('.', s.system_identifier, public.current_timeline(), p.generation)
  FROM public.ingest_position p CROSS JOIN pg_control_system() s
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION database_history() FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION database_history() TO launchwire_worker;
--> statement-breakpoint
GRANT SELECT, INSERT ON database_histories TO launchwire_worker;
--> statement-breakpoint
-- It stores again a submission that the chain proves.
GRANT UPDATE (signed_transaction, submitted_at, keeps_route) ON transaction_intents TO launchwire_worker;
--> statement-breakpoint
GRANT INSERT ON intent_broadcasts TO launchwire_worker;
--> statement-breakpoint
INSERT INTO database_histories SELECT database_history(), '-infinity';
