-- The trades of one transaction. Signatures are random texts of 88 bytes, and a hash index keeps four of each.
CREATE INDEX "trades_signature" ON "trades" USING hash ("transaction_signature");
