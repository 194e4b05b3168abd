-- Tokens that the public may see (contract/tokens#visibility). Every statement that answers a request of the public or of an account about
-- a token reads them here; a test allows no other one.
CREATE OR REPLACE VIEW visible_tokens AS SELECT * FROM tokens WHERE NOT hidden;
GRANT SELECT ON visible_tokens TO launchwire_api, launchwire_worker;
