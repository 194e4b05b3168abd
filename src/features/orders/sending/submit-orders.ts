import type { Database, Transaction } from '../../../db/client.ts';
import type { IntentSender, SubmittedIntent } from '../../../intents/send/intent-sender.ts';
import type { DueOrder, SealedTransaction } from './claim-orders.ts';

/** An order that the chain would take now. */
export interface SendableOrder {
  order: DueOrder;
  transaction: SealedTransaction;
  signed: Uint8Array;
}

/** Kind of the intents of orders. */
export const ORDER_KIND = 'order';
/** How long it is sent every two seconds; then once a minute, as long as the nonce lasts. */
const SENT_OFTEN_MS = 60_000;

/**
 * Stores the intents of orders as submitted and names each at its order, in one transaction, so that nothing is sent
 * which is not known, and nothing twice. Leaves out orders that have changed since they were read: cancelled, expired,
 * opened again, or submitted by another worker. Returns the intents in the order of the orders, null for those.
 */
export async function submitOrders(
  db: Database,
  orders: readonly SendableOrder[],
  intents: IntentSender,
  now: Date,
): Promise<(SubmittedIntent | null)[]> {
  return await db.begin(async (transaction) => {
    const unchanged = await lockUnchanged(transaction, orders, now);
    const open = orders.filter(({ order }) => unchanged.has(order.id));
    if (open.length === 0) return orders.map(() => null);
    const [stored] = await Promise.all([
      Promise.all(open.map((sendable) => intents.store(transaction, intentOf(sendable)))),
      linkIntents(transaction, open),
    ]);
    const submitted = new Map(open.map(({ order }, at) => [order.id, stored[at] ?? null]));
    return orders.map(({ order }) => submitted.get(order.id) ?? null);
  });
}

async function lockUnchanged(
  transaction: Transaction,
  orders: readonly SendableOrder[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const rows = await transaction<{ id: string }[]>`
    select o.id
    from unnest(${orders.map(({ order }) => order.id)}::uuid[], ${orders.map(({ order }) => String(order.version))}::int[])
      as g (id, version) join orders o on o.id = g.id
    where o.version = g.version and o.status = 'triggered' and o.intent_id is null and o.ends_at > ${now}::timestamptz
    order by o.id for no key update of o`;
  return new Set(rows.map(({ id }) => id));
}

/** After the intents in the same connection: the key of each is there. */
async function linkIntents(transaction: Transaction, orders: readonly SendableOrder[]): Promise<void> {
  await transaction`
    update orders o set intent_id = g.intent_id, next_attempt_at = null, version = o.version + 1
    from unnest(${orders.map(({ order }) => order.id)}::uuid[], ${orders.map(({ transaction: { id } }) => id)}::uuid[])
      as g (id, intent_id)
    where o.id = g.id`;
}

function intentOf({ order, transaction, signed }: SendableOrder) {
  return {
    id: transaction.id,
    accountId: order.accountId,
    kind: ORDER_KIND,
    expectedSigner: order.walletAddress,
    prepared: transaction.preparedTransaction,
    signatureOffset: transaction.signatureOffset,
    signed,
    nonce: order.nonce,
    policy: transaction.policy,
    expiresInMs: SENT_OFTEN_MS,
    origin: {
      mintAddress: order.mintAddress,
      launchId: null,
      tipLamports: order.tipLamports,
      quote: transaction.quote,
    },
    sendRoute: order.sendRoute,
    priorityLevel: order.priorityLevel,
  };
}
