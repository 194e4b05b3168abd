import { createHash } from 'node:crypto';
import type { Database } from '../../../src/db/client.ts';
import type { orderTriggerPrices, orderTriggerSides } from '../../../src/db/schema/orders.ts';
import { isOrderEnded, type OrderStatus, orderReasons } from '../../../src/features/orders/state.ts';
import { newAddress } from '../market/ingest-stream.ts';
import { insertSlot } from './insert-slot.ts';

export interface InsertedOrder {
  accountId: string;
  slotId?: string;
  walletAddress?: string;
  nonceAddress?: string;
  nonce?: string;
  mintAddress?: string;
  side?: 'buy' | 'sell';
  triggerPrice?: string;
  triggerWhen?: (typeof orderTriggerSides)[number];
  triggerOf?: (typeof orderTriggerPrices)[number];
  status?: OrderStatus;
  ocoGroup?: string | null;
  intentId?: string | null;
  expiresAt?: Date;
  /** Wire bytes of its transaction on the curve. */
  preparedTransaction?: Uint8Array;
  sealedTransaction?: Uint8Array;
}

const policy = { allowedPrograms: [], maxComputeUnitPrice: null, requireSimulation: true };
const sending = {
  route: 'fast',
  priorityLevel: null,
  computeUnitPrice: '0',
  computeUnitLimit: 200_000,
  priorityFeeLamports: '0',
  tipLamports: '0',
  tipService: null,
};

/** Inserts an order with a transaction on the curve, in any state. Returns both ids. */
export async function insertOrder(
  db: Database,
  order: InsertedOrder,
): Promise<{ id: string; transactionId: string }> {
  const {
    accountId,
    walletAddress = newAddress(),
    nonceAddress = newAddress(),
    nonce = newAddress(),
  } = order;
  const slotId =
    order.slotId ?? (await insertSlot(db, { accountId, status: 'ready', nonceAddress, walletAddress }));
  const {
    mintAddress = newAddress(),
    side = 'buy',
    status = 'open',
    ocoGroup = null,
    intentId = null,
  } = order;
  const { triggerPrice = '0.00000003', triggerWhen = 'at_or_below', triggerOf = 'trade' } = order;
  const [id, transactionId] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()];
  const now = new Date();
  const { expiresAt = new Date(now.getTime() + 86_400_000) } = order;
  const reasons: Partial<Record<OrderStatus, readonly string[]>> = orderReasons;
  const isTriggered = status === 'triggered' || status === 'landed' || status === 'failed';
  const row = {
    id,
    accountId,
    slotId,
    walletAddress,
    nonceAddress,
    nonce,
    ocoGroup,
    mintAddress,
    side,
    amountRaw: '1000000',
    limitRaw: '1',
    slippageBps: null,
    triggerPrice,
    triggerWhen,
    triggerOf,
    sendRoute: 'fast',
    priorityLevel: null,
    tipLamports: 0n,
    status,
    version: 1,
    reason: reasons[status]?.[0] ?? null,
    expiresAt,
    endsAt: expiresAt,
    createdAt: now,
    openedAt: status === 'unsigned' ? null : now,
    triggeredAt: isTriggered ? now : null,
    triggerTradeId: isTriggered ? Bun.randomUUIDv7() : null,
    triggerSlot: isTriggered ? 7n : null,
    triggerObservedPrice: isTriggered ? triggerPrice : null,
    nextAttemptAt: isTriggered ? now : null,
    intentId,
    completedAt: isOrderEnded(status) ? now : null,
  };
  await db`insert into orders ${db(row)}`;
  const preparedTransaction = order.preparedTransaction ?? Buffer.from(transactionId);
  const quote = { side, mode: 'exact-in', inputMint: 'in', outputMint: 'out', inputRaw: '1', outputRaw: '1' };
  await db`
    insert into order_transactions ${db({
      id: transactionId,
      orderId: id,
      venue: 'curve',
      preparedTransaction,
      signatureOffset: 1,
      messageHash: createHash('sha256').update(preparedTransaction).digest(),
      policy: db.json(policy),
      quote: db.json({
        ...quote,
        slippageBps: null,
        minimumOutputRaw: '1',
        maximumInputRaw: null,
        slot: '1',
      }),
      sending: db.json(sending),
      sealedTransaction: order.sealedTransaction ?? null,
      signedAt: status === 'unsigned' ? null : now,
    })}`;
  return { id, transactionId };
}
