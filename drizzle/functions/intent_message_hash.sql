-- SHA-256 of what the signatures of a transaction cover. In version 1 (first byte 0x81) the signatures are last,
-- otherwise they are first. Their number is one byte.
CREATE OR REPLACE FUNCTION intent_message_hash(transaction bytea) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT sha256(CASE get_byte(transaction, 0)
    WHEN 129 THEN substr(transaction, 1, greatest(0, octet_length(transaction) - 64 * get_byte(transaction, 1)))
    ELSE substr(transaction, 2 + 64 * get_byte(transaction, 0)) END)
$$;
