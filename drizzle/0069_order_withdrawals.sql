-- Finds the order whose withdrawal has landed, in the transaction that ends the intent (decisions/0109). Holds up changes of orders while
-- it is built, over orders that were cancelled with an intent alone.
CREATE INDEX "orders_advance_intent" ON "orders" USING btree ("advance_intent_id") WHERE "orders"."advance_intent_id" is not null;