import { FORK_SPAN_SLOTS } from '../../chain/final-chain.ts';
import { arrayText } from '../../db/array-text.ts';
import type { Transaction } from '../../db/client.ts';
import { type DecimalString, normaliseDecimal } from '../../shared/decimal.ts';
import type { RevertedTrade } from '../market/indexed-trade.ts';
import {
  findCrossings,
  type PricedTrade,
  type PriceSpan,
  spansOf,
  type WaitingOrder,
} from '../market/order-crossings.ts';
import type { TokenDecimals } from '../market/trade-price.ts';

/** An order with the trade that triggers it. */
export interface OrderTrigger {
  orderId: string;
  tradeId: string;
  slot: bigint;
  /** The price of the trade that was compared with the order's. */
  price: DecimalString;
}

/** Moves orders, with their events, in the caller's transaction (features/orders/move-orders.ts). */
export interface OrderMoves {
  /** `open → triggered`. Their rows are locked. */
  trigger(transaction: Transaction, triggers: readonly OrderTrigger[]): Promise<void>;
  /** `triggered → open`. Their rows are locked. */
  takeBack(transaction: Transaction, orderIds: readonly string[]): Promise<void>;
}

/**
 * Open orders that some of these trades may trigger, locked in one order for all workers. Call it when the
 * tokens are locked, so that it finds an order that returns to `open` under the lock of its token
 * (contract/orders#trigger-trades). A token without open orders costs one look-up in an index, any other
 * token a range of prices.
 */
export async function lockWaitingOrders(
  transaction: Transaction,
  trades: readonly PricedTrade[],
  tokens: TokenDecimals,
): Promise<WaitingOrder[]> {
  const spans = spansOf(trades, tokens);
  if (spans.length === 0) return [];
  return await lockOrders(transaction, ordersWithin(transaction, spans));
}

/** SQL: ids of open orders whose prices the spans reach. */
function ordersWithin(transaction: Transaction, spans: readonly PriceSpan[]) {
  const column = (key: keyof PriceSpan) => arrayText(spans.map((span) => span[key]));
  // Neither subquery may become a join: then a plan may read all open orders.
  return transaction`
    select near.id
    from unnest(${column('mintAddress')}::text[], ${column('lowestTrade')}::numeric[], ${column('highestTrade')}::numeric[],
      ${column('lowestSpot')}::numeric[], ${column('highestSpot')}::numeric[], ${column('openedBefore')}::timestamptz[])
      as s (mint, lowest_trade, highest_trade, lowest_spot, highest_spot, opened_before)
    cross join lateral (select from orders where status = 'open' and mint_address = s.mint limit 1) as any_open
    cross join lateral (
      select id from orders where status = 'open' and mint_address = s.mint and trigger_of = 'trade'
        and trigger_when = 'at_or_above' and trigger_price <= s.highest_trade and opened_at <= s.opened_before
      union all
      select id from orders where status = 'open' and mint_address = s.mint and trigger_of = 'trade'
        and trigger_when = 'at_or_below' and trigger_price >= s.lowest_trade and opened_at <= s.opened_before
      union all
      select id from orders where status = 'open' and mint_address = s.mint and trigger_of = 'spot'
        and trigger_when = 'at_or_above' and trigger_price <= s.highest_spot and opened_at <= s.opened_before
      union all
      select id from orders where status = 'open' and mint_address = s.mint and trigger_of = 'spot'
        and trigger_when = 'at_or_below' and trigger_price >= s.lowest_spot and opened_at <= s.opened_before
      offset 0) as near`;
}

async function lockOrders(
  transaction: Transaction,
  ids: ReturnType<typeof ordersWithin>,
): Promise<WaitingOrder[]> {
  const rows = await transaction<(Omit<WaitingOrder, 'triggerPrice'> & { triggerPrice: string })[]>`
    select id, mint_address, trigger_of, trigger_when, trigger_price, opened_at
    from orders where id = any(array(${ids})) and status = 'open'
    order by id for no key update`;
  return rows.map((row) => ({ ...row, triggerPrice: normaliseDecimal(row.triggerPrice) }));
}

/** Triggers the orders that these new trades cross, each by the first such trade. Returns their number. */
export async function triggerOrders(
  transaction: Transaction,
  moves: OrderMoves,
  waiting: readonly WaitingOrder[],
  added: readonly PricedTrade[],
  tokens: TokenDecimals,
): Promise<number> {
  const crossings = findCrossings(waiting, added, tokens);
  if (crossings.length === 0) return 0;
  const triggers = crossings.map(({ order, trade, price }) => ({
    orderId: order.id,
    tradeId: trade.id,
    slot: trade.slot,
    price,
  }));
  await moves.trigger(transaction, triggers);
  return triggers.length;
}

/**
 * Opens orders again whose trades were reverted before they were sent. Where another trade triggers one, it is
 * triggered by that instead, so that afterwards the orders are those of a database without the reverted trades.
 * Call it when the trades are deleted. Returns the number of orders that are triggered again.
 */
export async function takeBackTriggers(
  transaction: Transaction,
  moves: OrderMoves,
  reverted: readonly RevertedTrade[],
): Promise<number> {
  if (reverted.length === 0) return 0;
  const orders = await lockTriggeredOrders(transaction, reverted);
  if (orders.length === 0) return 0;
  await moves.takeBack(
    transaction,
    orders.map(({ id }) => id),
  );
  const tokens: TokenDecimals = new Map(orders.map((order) => [order.mintAddress, order]));
  return await triggerOrders(transaction, moves, orders, await readOtherTrades(transaction, orders), tokens);
}

interface TriggeredOrder extends WaitingOrder {
  triggerSlot: bigint;
  /** Decimals of its token. */
  decimals: number;
}

async function lockTriggeredOrders(
  transaction: Transaction,
  reverted: readonly RevertedTrade[],
): Promise<TriggeredOrder[]> {
  const rows = await transaction<(Omit<TriggeredOrder, 'triggerPrice'> & { triggerPrice: string })[]>`
    select id, mint_address, trigger_of, trigger_when, trigger_price, opened_at, trigger_slot,
      (select decimals from tokens t where t.mint_address = orders.mint_address) as decimals
    from orders
    where status = 'triggered' and intent_id is null
      and trigger_trade_id = any(${arrayText(reverted.map(({ id }) => id))}::uuid[])
    order by id for no key update`;
  return rows.map((row) => ({ ...row, triggerPrice: normaliseDecimal(row.triggerPrice) }));
}

/**
 * The trades of these tokens after those that had triggered the orders, and those before them that the same
 * fork can have moved: they may have come late, when the orders were triggered already.
 */
async function readOtherTrades(
  transaction: Transaction,
  orders: readonly TriggeredOrder[],
): Promise<PricedTrade[]> {
  const rows = await transaction<
    (Omit<PricedTrade, 'solAmount' | 'tokenAmount' | 'pricePerTokenInSol' | 'spotPriceInSol'> & {
      solAmount: string;
      tokenAmount: string;
      pricePerTokenInSol: string;
      spotPriceInSol: string | null;
    })[]
  >`
    select t.id, t.mint_address, t.sol_amount, t.token_amount, t.price_per_token_in_sol, t.spot_price_in_sol, t.slot,
      t.transaction_index, t.outer_index, t.inner_index, t.block_time
    from (
      select mint, min(slot) - ${FORK_SPAN_SLOTS}::int8 as start
      from unnest(${arrayText(orders.map(({ mintAddress }) => mintAddress))}::text[],
        ${arrayText(orders.map(({ triggerSlot }) => triggerSlot))}::int8[]) as o (mint, slot)
      group by mint
    ) m join trades t on t.mint_address = m.mint and t.slot >= m.start`;
  return rows.map((row) => ({
    ...row,
    solAmount: normaliseDecimal(row.solAmount),
    tokenAmount: normaliseDecimal(row.tokenAmount),
    pricePerTokenInSol: normaliseDecimal(row.pricePerTokenInSol),
    spotPriceInSol: row.spotPriceInSol === null ? null : normaliseDecimal(row.spotPriceInSol),
  }));
}
