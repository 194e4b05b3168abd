-- Prominent tokens with a similar symbol or name, and how similar they are. After one mistake, half of the parts of a
-- short word are wrong, hence the low threshold. The settings belong to the function, because a pooler does not pass
-- on those of a client. The function has the rights of its owner, so the api needs none on the functions of the
-- extension, which may belong to another user.
CREATE OR REPLACE FUNCTION similar_tokens(wanted text) RETURNS TABLE (mint_address text, similarity real)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off
SET pg_trgm.word_similarity_threshold = 0.4 AS $$
  SELECT n.mint_address, public.word_similarity(wanted, n.terms) FROM public.token_names n
  WHERE n.prominent AND wanted OPERATOR(public.<%) n.terms
$$;
GRANT EXECUTE ON FUNCTION similar_tokens(text) TO launchwire_api;
