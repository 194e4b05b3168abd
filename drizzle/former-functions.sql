-- Functions that a migration names and a later one drops, for an empty database alone. It has no rows, so they need not do their work.
CREATE OR REPLACE FUNCTION note_uncounted_traders() RETURNS trigger
LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE OR REPLACE FUNCTION log_events() RETURNS trigger
LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE OR REPLACE FUNCTION transaction_intent_is_whole(status text, completed_at timestamptz, error_code text, send_route text, keeps_route boolean,
  kind text, priority_level text, signed_transaction bytea, submitted_at timestamptz, version integer) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$ SELECT true $$;
