import { cancelOrder } from '../../../src/features/orders/cancel-order.ts';
import { createOrder } from '../../../src/features/orders/create-order.ts';
import { createOrderMoves } from '../../../src/features/orders/move-orders.ts';
import { endSentOrders, expireOrders } from '../../../src/features/orders/sending/end-orders.ts';
import { settleUnsent } from '../../../src/features/orders/sending/settle-unsent.ts';
import { submitOrders } from '../../../src/features/orders/sending/submit-orders.ts';
import { voidOrders } from '../../../src/features/orders/sending/void-orders.ts';
import { signOrder } from '../../../src/features/orders/sign-order.ts';
import { createSlot } from '../../../src/features/orders/slots/create-slot.ts';
import { storeTrades } from '../../../src/indexer/store/trades.ts';
import { lockWaitingOrders, takeBackTriggers } from '../../../src/indexer/store/trigger-orders.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { numberedTrade } from '../market/market-arbitraries.ts';
import { ofAccount } from './account-locks.ts';
import type { LockGround } from './lock-ground.ts';
import { behindTheLock, inTransaction, type LockWait } from './lock-wait.ts';

/** The server shows the first 1,024 characters of a statement. A `select` without a lock never waits for a row. */
const ofRows = /^select o\.id, o\.account_id, .* from orders o /;
const ofUnchanged = /^select o\.id from unnest.* for no key update of o$/;

/** Waits for the row of an order. */
const ofOrder = (
  call: string,
  order: keyof LockGround['orders'],
  run: LockWait['run'],
  statement = ofRows,
): LockWait => ({
  call,
  statement,
  hold: (transaction, { orders }) =>
    transaction`select from orders where id = ${orders[order]} for no key update`,
  run,
});

const ofWaiting =
  /^select id, mint_address, trigger_of, .* from orders where id = any\(array\( select near\.id from/;
const ofTriggered = /from orders where status = 'triggered' .* order by id for no key update$/;
/** Crosses the price of the open order. */
const crossing = ({ mint }: LockGround) => numberedTrade(mint, 1, { blockTime: new Date() });
const settle: LockWait['run'] = (db, { orders, mint }) =>
  settleUnsent(
    { db, outbox: behindTheLock, clock: systemClock },
    { id: orders.triggered, mintAddress: mint } as never,
    behindTheLock,
  );

export const orderLocks: readonly LockWait[] = [
  {
    call: 'src/features/orders/sending/settle-unsent.ts settleUnsent lockToken',
    statement: /from tokens where mint_address = \$1 for share$/,
    hold: (transaction, { mint }) =>
      transaction`select from tokens where mint_address = ${mint} for no key update`,
    run: settle,
  },
  ofOrder('src/features/orders/sending/settle-unsent.ts settleUnsent lockOrders', 'triggered', settle),
  ofOrder('src/features/orders/sending/end-orders.ts endSentOrders lockOrders', 'sent', (db) =>
    endSentOrders({ db, clock: systemClock, outbox: behindTheLock, metrics: behindTheLock }, 10),
  ),
  ofOrder('src/features/orders/sending/end-orders.ts expireOrders lockOrders', 'overdue', (db) =>
    expireOrders({ db, clock: systemClock, outbox: behindTheLock, metrics: behindTheLock }, 10),
  ),
  ofOrder(
    'src/features/orders/sending/void-orders.ts voidOrders lockOrders',
    'open',
    inTransaction((transaction, { orders }) =>
      voidOrders(transaction, new Map([[orders.open, 'nonce_spent']]), behindTheLock),
    ),
  ),
  ofOrder(
    'src/features/orders/sending/submit-orders.ts submitOrders lockUnchanged',
    'triggered',
    (db, { orders }) =>
      submitOrders(db, [{ order: { id: orders.triggered, version: 1 } } as never], behindTheLock, new Date()),
    ofUnchanged,
  ),
  ofOrder(
    'src/features/orders/move-orders.ts ordersById lockOrders',
    'open',
    inTransaction((transaction, { orders }) =>
      createOrderMoves(behindTheLock).trigger(transaction, [{ orderId: orders.open } as never]),
    ),
  ),
  ofOrder(
    'src/features/orders/move-orders.ts ordersById lockOrders',
    'triggered',
    inTransaction((transaction, { orders }) =>
      createOrderMoves(behindTheLock).takeBack(transaction, [orders.triggered]),
    ),
  ),
  ofOrder(
    'src/features/orders/cancel-order.ts cancelOrder lockOrder',
    'open',
    inTransaction((transaction, { orders, accountId }) =>
      cancelOrder(transaction, { orderId: orders.open, accountId }, behindTheLock, behindTheLock),
    ),
  ),
  ofOrder(
    'src/features/orders/sign-order.ts signOrder lockOrder',
    'unsigned',
    inTransaction((transaction, { orders, accountId }) =>
      signOrder(transaction, { orderId: orders.unsigned, accountId } as never, behindTheLock, behindTheLock),
    ),
  ),
  ofOrder(
    'src/indexer/store/trigger-orders.ts lockWaitingOrders lockOrders',
    'open',
    inTransaction((transaction, ground) =>
      lockWaitingOrders(
        transaction,
        [crossing(ground)],
        new Map([[ground.mint, { decimals: 6, graduatedAt: null }]]),
      ),
    ),
    ofWaiting,
  ),
  ofOrder(
    'src/indexer/store/trigger-orders.ts takeBackTriggers lockTriggeredOrders',
    'triggered',
    inTransaction((transaction, { triggerTradeId }) =>
      takeBackTriggers(transaction, behindTheLock, [{ id: triggerTradeId } as never]),
    ),
    ofTriggered,
  ),
  ofOrder(
    'src/indexer/store/trades.ts storeTrades lockWaitingOrders',
    'open',
    inTransaction((transaction, ground) =>
      storeTrades(transaction, [crossing(ground)], undefined, behindTheLock),
    ),
    ofWaiting,
  ),
  ofAccount(
    'src/features/orders/create-order.ts createOrder lockAccount',
    inTransaction((transaction, { accountId }) =>
      createOrder(transaction, { row: { accountId }, transactions: [] } as never),
    ),
  ),
  {
    call: 'src/features/orders/create-order.ts createOrder lockOrderSlot',
    statement: /from order_slots where .* for share$/,
    hold: (transaction, { orders }) =>
      transaction`
        select from order_slots where id = (select slot_id from orders where id = ${orders.open}) for no key update`,
    run: inTransaction(async (transaction, { accountId, orders }) => {
      const [{ slotId } = { slotId: '' }] = await transaction<{ slotId: string }[]>`
        select slot_id from orders where id = ${orders.open}`;
      await createOrder(transaction, { row: { accountId, slotId }, transactions: [] } as never);
    }),
  },
  ofAccount(
    'src/features/orders/slots/create-slot.ts createSlot lockAccount',
    inTransaction((transaction, { accountId }) =>
      createSlot(transaction, { row: { accountId }, prepared: null } as never, behindTheLock),
    ),
  ),
];
