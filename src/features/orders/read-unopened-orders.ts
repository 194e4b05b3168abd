import type { Queryable } from '../../db/client.ts';
import { NotOpened, type SecretBox } from '../../shared/secret-box.ts';
import { openOrderTransaction } from './sealed-transaction.ts';

const PAGE_ORDERS = 200;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface SealedRow {
  orderId: string;
  /** As text, which loses no microsecond. */
  endsAt: string;
  transactionId: string | null;
  sealedTransaction: Uint8Array;
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
  let last: Pick<SealedRow, 'orderId' | 'endsAt'> | undefined;
  let orders: SealedRow[][];
  do {
    const rows = await readPage(database, last);
    last = rows.at(-1);
    orders = [...Map.groupBy(rows, ({ orderId }) => orderId).values()];
    signed += orders.length;
    unopened += orders.filter((own) => !own.every((row) => opens(row, box))).length;
  } while (orders.length === PAGE_ORDERS);
  return { signed, unopened };
}

/** In the order of the index `orders_ends`, which holds no order that has ended. */
async function readPage(
  database: Queryable,
  { endsAt = '-infinity', orderId = FIRST_ID }: Partial<SealedRow> = {},
): Promise<SealedRow[]> {
  return await database<SealedRow[]>`
    with page as materialized (
      select id, ends_at from orders
      where status in ('open', 'triggered') and intent_id is null
        and (ends_at, id) > (${endsAt}::text::timestamptz, ${orderId}::uuid)
      order by ends_at, id limit ${PAGE_ORDERS}
    )
    select page.id as order_id, page.ends_at::text, s.id as transaction_id, s.sealed_transaction
    from page left join order_transactions s on s.order_id = page.id and s.sealed_transaction is not null
    order by page.ends_at, page.id`;
}

function opens({ transactionId, sealedTransaction }: SealedRow, box: SecretBox | null): boolean {
  if (transactionId === null || box === null) return false;
  try {
    openOrderTransaction(box, transactionId, sealedTransaction);
    return true;
  } catch (error) {
    if (error instanceof NotOpened) return false;
    throw error;
  }
}
