import type { Queryable } from '../../db/client.ts';
import { orderVenues } from '../../db/values/orders.ts';
import { NotOpened, type SecretBox } from '../../shared/secret-box.ts';
import { openOrderTransaction } from './sealed-transaction.ts';

/** Transactions of about a kilobyte that are in memory together. */
const ROWS_AT_ONCE = 200;

interface SealedRow {
  orderId: string;
  /** Null for an order without a transaction, as its bytes are. */
  transactionId: string | null;
  sealedTransaction: Uint8Array | null;
}

/**
 * Counts the signed orders that wait for their price or for their send, and those of them that these keys do not
 * open. @param box null without a key
 */
export async function readUnopenedOrders(
  database: Queryable,
  box: SecretBox | null,
): Promise<{ signed: number; unopened: number }> {
  let signed = 0;
  let unopened = 0;
  // A cursor: pages by key would sort all orders that end at one time again for each page.
  const batches = database<SealedRow[]>`
    select o.id as order_id, s.id as transaction_id, s.sealed_transaction
    from orders o left join lateral (
      select id, sealed_transaction from order_transactions
      where order_id = o.id and sealed_transaction is not null limit ${orderVenues.length}
    ) s on true
    where o.status in ('open', 'triggered') and o.intent_id is null`.cursor(ROWS_AT_ONCE);
  let orderId = '';
  let isCounted = false;
  for await (const rows of batches) {
    for (const row of rows) {
      // The transactions of an order follow one another.
      if (row.orderId !== orderId) {
        signed += 1;
        orderId = row.orderId;
        isCounted = false;
      }
      if (isCounted || opens(row, box)) continue;
      unopened += 1;
      isCounted = true;
    }
  }
  return { signed, unopened };
}

function opens({ transactionId, sealedTransaction }: SealedRow, box: SecretBox | null): boolean {
  if (transactionId === null || sealedTransaction === null || box === null) return false;
  try {
    openOrderTransaction(box, transactionId, sealedTransaction);
    return true;
  } catch (error) {
    if (error instanceof NotOpened) return false;
    throw error;
  }
}
